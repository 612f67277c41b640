import { CronExpressionParser } from 'cron-parser';
import { parseDuration } from '../../../shared/core/basics/duration';
import type { DisruptionBudget } from '../../../shared/core/karpenter/objects';

export type DisruptionReason = 'Empty' | 'Underutilized';

/** How many nodes of a pool may be disrupted at once for a reason: the strictest budget that is in force. */
export function allowedDisruptions(
  budgets: readonly DisruptionBudget[],
  reason: DisruptionReason,
  nodes: number,
  now: number,
): number {
  const inForce = budgets.filter((budget) => (budget.reasons ?? [reason]).includes(reason) && isActive(budget, now));
  return Math.min(nodes, ...inForce.map((budget) => limitOf(budget, nodes)));
}

function limitOf({ nodes: text }: DisruptionBudget, nodes: number): number {
  return text.endsWith('%') ? Math.ceil((Number(text.slice(0, -1)) / 100) * nodes) : Number(text);
}

/** A budget with a schedule holds for its duration from each start, in UTC. */
function isActive({ schedule, duration }: DisruptionBudget, now: number): boolean {
  if (schedule === undefined || duration === undefined) return true;
  const length = (parseDuration(duration) ?? 0) * 1000;
  // A start at this very moment counts.
  const expression = CronExpressionParser.parse(schedule, { currentDate: new Date(now + 1), tz: 'UTC' });
  return now < expression.prev().getTime() + length;
}
