import { formatDuration } from '../core/basics/duration';
import { EVENT_PREFIX } from '../core/basics/names';
import { unitText } from '../core/config/unit-text';
import type { Money } from '../pricing/money';
import { amount, count, moneyText } from './amounts';
import { offsetText } from './local-time';
import type { PoolPlan } from './plan-model';
import { plannedText } from './size-text';

/** Unit, bounds and zone in one line. */
export function factsOf(pool: PoolPlan): string {
  const { max, base, leadMinutes, timezone, steps } = pool;
  const zone = `${timezone} ${offsetText(timezone, steps[0]?.at ?? 0)}`.trim();
  return [
    unitText(pool),
    ...(base > 0 ? [`base ${base}`] : []),
    `max ${max}`,
    ...(leadMinutes > 0 ? [`lead time ${leadFact(pool)}`] : []),
    `times in ${zone}`,
  ].join(' · ');
}

/** A NodePool that never changes, in one line. */
export function steadyText(pool: PoolPlan): string {
  const [step] = pool.steps;
  const { peak, nodeHours } = pool.figures;
  const usage = peak > 0 && nodeHours !== undefined ? ` · ${usageText(pool)}` : '';
  return `${step ? plannedText(step) : 0} all the time · ${factsOf(pool)}${usage}`;
}

/** A plan has no measured nodes, so a learned lead time has its start value. */
function leadFact({ leadMinutes, autoLead }: PoolPlan): string {
  const lead = formatDuration(leadMinutes * 60);
  return autoLead ? `auto, at first ${lead} (status shows what it is now)` : lead;
}

/** Node-hours and cost of the plan, and of holding its peak all the time. */
export function usageText(pool: PoolPlan): string {
  const { figures, unit, price } = pool;
  const { nodeHours, constantNodeHours, cost, constantCost, replicaHours, peak } = figures;
  const costText = (money: Money | undefined) => (money ? `, ${moneyText(money)}` : '');
  const node = price?.instanceType ? ` (${price.instanceType})` : '';
  if (nodeHours === undefined || constantNodeHours === undefined)
    return `${amount(replicaHours)} slice-hours${costText(cost)}, peak ${peak} (set minNode to count nodes)`;
  const about = unit.kind === 'slice' ? 'about ' : 'at most ';
  const adds = figures.relative ? 'adds ' : '';
  const here = `${adds}${about}${amount(nodeHours)} node-hours${costText(cost)}${node}`;
  if (peak === 0 || constantNodeHours - nodeHours < 0.05) return here;
  return `${here}; holding the peak of ${peakText(pool)} all the time: ${amount(constantNodeHours)} node-hours${costText(constantCost)}`;
}

/** What has a cost, if its size is not 0. */
type Priced = Pick<PoolPlan, 'price'> & { readonly figures: { readonly peak: number } };

/** Where the costs of some NodePools are from; nothing if all of them have a price in the config. */
export function priceNote(pools: readonly Priced[]): string | undefined {
  const listed = pools.filter(({ price, figures }) => price?.list && figures.peak > 0);
  const [list] = listed.flatMap(({ price }) => price?.list ?? []);
  if (!list) return undefined;
  const ranges = listed.some(({ price }) => price?.instanceType === undefined);
  const why = ranges ? '; a range where the NodePool is not known, which --kubeconfig or a pool block tells' : '';
  return `cost: ${list.region} list price, ${list.date}${why}`;
}

/** The highest size of the plan, `+6` if all of it is added by a relative window. */
export function peakText({ figures: { peak }, steps }: PoolPlan): string {
  const highest = steps.find(({ most }) => most === peak);
  return highest?.uncounted === peak ? `+${peak}` : String(peak);
}

/** What `+6` means, if a plan has it. */
export function countedText({ steps, leadMinutes }: PoolPlan): string | undefined {
  const added = steps.find(({ uncounted }) => uncounted !== undefined)?.uncounted;
  if (added === undefined) return undefined;
  const when = leadMinutes > 0 ? 'when the lead time begins' : 'when the window opens';
  return `+${added}: ${count(added, 'more node')} than there are ${when}; picture and cost show what is added`;
}

/** Reasons contain the local time of their window; this names the windows of other zones. */
export function foreignZones({ windows, timezone }: PoolPlan): string | undefined {
  const local = windows.filter(({ name, spans }) => spans.length > 0 && !name.startsWith(EVENT_PREFIX));
  const foreign = local.filter((window) => window.timezone !== timezone);
  if (foreign.length === 0) return undefined;
  const zones = foreign.map((window) => `${window.name} ${window.timezone}`).join(', ');
  return `times in reasons are in the zone of the window: ${zones}`;
}
