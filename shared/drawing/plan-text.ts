import { spanText } from '../core/basics/duration';
import { togetherText } from '../core/config/unit-text';
import { originText } from '../pricing/instance-types';
import type { Money } from '../pricing/money';
import type { NodePrice } from '../pricing/node-price';
import { amount, count, moneyText } from './amounts';
import { lengthText, localTime, offsetText } from './local-time';
import type { PlanFigures, PlanModel, PoolPlan } from './plan-model';
import { plannedText } from './size-text';

/** `24 h from Mon 16 Nov 20:00 Asia/Seoul +09:00`: the zone of all times in the plan. */
export function periodText({ from, to, timezone }: Pick<PlanModel, 'from' | 'to' | 'timezone'>): string {
  return `${lengthText(to - from)} from ${localTime(timezone, from)} ${timezone} ${offsetText(timezone, from)}`.trim();
}

export function planTexts(pool: PoolPlan) {
  const [facts, usage, peak] = [factsOf(pool), usageText(pool), peakText(pool)];
  return { facts, usage, peak, steady: steadyText(pool), counted: countedText(pool) };
}

function factsOf(pool: PoolPlan): string {
  const { unitText, bound, base, leadMinutes, windows } = pool;
  return [
    unitText,
    ...(base > 0 ? [`base ${base}`] : []),
    bound,
    ...(leadMinutes > 0 && windows.length > 0 ? [`lead time ${leadFact(pool)}`] : []),
  ].join(' · ');
}

function steadyText(pool: PoolPlan): string {
  const [step] = pool.steps;
  const { peak, nodeHours, unshaped } = pool.figures;
  const usage = unshaped || (peak > 0 && nodeHours !== undefined) ? ` · ${usageText(pool)}` : '';
  return `${step ? plannedText(step) : 0} all the time · ${factsOf(pool)}${usage}`;
}

/** A plan has no measured nodes, so a learned lead time has its start value. */
function leadFact({ leadMinutes, autoLead, unit }: PoolPlan): string {
  const lead = spanText(leadMinutes);
  if (!autoLead) return lead;
  const { together } = autoLead;
  return `auto, ${lead} at first${together === undefined ? '' : `, then what ${togetherText(together, unit)} took`}`;
}

function usageText(pool: PoolPlan): string {
  const { figures, unit, price } = pool;
  if (figures.unshaped)
    return 'sizes are in pods; pause pods, nodes and cost are known once the workload can be read (--kubeconfig)';
  const { nodeHours, constantNodeHours, replicaHours, peak } = figures;
  const cost = costTexts(figures);
  const node = nodeText(price);
  if (nodeHours === undefined || constantNodeHours === undefined)
    return `${amount(replicaHours)} slice-hours${cost.planned}, peak ${peak} (set minNode to count nodes)`;
  const about = unit.kind === 'slice' ? 'about ' : 'at most ';
  const adds = figures.relative ? 'adds ' : '';
  const here = `${adds}${about}${amount(nodeHours)} node-hours${cost.planned}${node}`;
  if (peak === 0 || constantNodeHours - nodeHours < 0.05) return here;
  return `${here}; holding the peak of ${peakText(pool)} all the time: ${amount(constantNodeHours)} node-hours${cost.held}`;
}

/** `, $2.61, $57 a month`, or nothing: of the plan, and of its peak held all the time. */
export function costTexts({ cost, monthlyCost, constantCost, constantMonthlyCost, peak }: PlanFigures): {
  readonly planned: string;
  readonly held: string;
} {
  const text = (money?: Money, month?: Money) =>
    money ? `, ${moneyText(money)}${month && peak > 0 ? `, ${moneyText(month)} a month` : ''}` : '';
  return { planned: text(cost, monthlyCost), held: text(constantCost, constantMonthlyCost) };
}

/** What has a cost, if its size is not 0. */
type Priced = Pick<PoolPlan, 'price'> & { readonly figures: { readonly peak: number } };

/** ` (m5.xlarge, spot)`: what Karpenter is taken to launch. */
function nodeText(price: PoolPlan['price']): string {
  const known = [...(price?.instanceType ? [price.instanceType] : []), ...(price ? capacityText(price) : [])];
  return known.length > 0 ? ` (${known.join(', ')})` : '';
}

function capacityText({ perHour: { low, high, spotPercent } }: NodePrice): string[] {
  if (spotPercent === undefined) return [];
  return [low < high ? 'spot or on demand' : 'spot'];
}

/** Where the costs of some NodePools are from; nothing if all of them have a price in the config. */
export function priceNote(pools: readonly Priced[], found = '--kubeconfig reads it'): string | undefined {
  const prices = pools.flatMap(({ price, figures }) => (price?.list && figures.peak > 0 ? [price] : []));
  const [list] = prices.flatMap((price) => price.list ?? []);
  if (!list) return undefined;
  const spots = prices.map(({ perHour: { spotPercent, atMost } }) => spotPercent !== undefined || atMost === true);
  const ranges = prices.some(({ instanceType }) => instanceType === undefined);
  const why = ranges ? [`a range over the usual instance families where the NodePool is not known: ${found}`] : [];
  return `cost: ${[originText(list, spots), ...why].join('; ')}`;
}

/** The highest size of the plan, `+6` if all of it is added by a relative window. */
function peakText({ figures: { peak }, steps }: PoolPlan): string {
  const highest = steps.find(({ most }) => most === peak);
  return highest?.uncounted === peak ? `+${peak}` : String(peak);
}

/** What `+6` means, if a plan has it. */
function countedText({ steps, leadMinutes }: PoolPlan): string | undefined {
  const added = steps.find(({ uncounted }) => uncounted !== undefined)?.uncounted;
  if (added === undefined) return undefined;
  const when = leadMinutes > 0 ? 'when the lead time begins' : 'when the window opens';
  return `+${added}: ${count(added, 'node')} above the baseline, which is counted ${when}; picture and cost show what is added`;
}
