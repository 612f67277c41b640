import { formatDuration } from '../core/basics/duration';
import { unitText } from '../core/config/unit-text';
import { amount, dollars } from './amounts';
import { offsetText } from './local-time';
import type { PoolPlan } from './plan-model';

/** Unit, bounds and zone in one line. */
export function factsOf(pool: PoolPlan): string {
  const { max, base, leadMinutes, timezone, steps } = pool;
  const zone = `${timezone} ${offsetText(timezone, steps[0]?.at ?? 0)}`.trim();
  return [
    unitText(pool),
    ...(base > 0 ? [`base ${base}`] : []),
    `max ${max}`,
    ...(leadMinutes > 0 ? [`lead time ${formatDuration(leadMinutes * 60)}`] : []),
    `times in ${zone}`,
  ].join(' · ');
}

/** Node-hours and cost of the plan, and of holding its peak all the time. */
export function usageText({ figures, unit, price }: PoolPlan): string {
  const { nodeHours, constantNodeHours, cost, constantCost, replicaHours, peak } = figures;
  if (nodeHours === undefined || constantNodeHours === undefined) {
    const why = 'set minNode to count nodes';
    return `${amount(replicaHours)} slice-hours, peak ${peak} (${why}${price === undefined ? '' : ' and cost'})`;
  }
  const money = cost === undefined ? '' : `, ${dollars(cost)}`;
  const about = unit.kind === 'slice' ? 'about ' : 'at most ';
  const here = `${about}${amount(nodeHours)} node-hours${money}`;
  if (peak === 0 || constantNodeHours - nodeHours < 0.05) return here;
  const held = `${amount(constantNodeHours)} node-hours${constantCost === undefined ? '' : `, ${dollars(constantCost)}`}`;
  return `${here}; holding the peak of ${peak} all the time: ${held}`;
}
