import { amount, count, moneyText } from '../../shared/drawing/amounts';
import type { PlanFigures } from '../../shared/drawing/plan-model';
import { type Money, plus, times } from '../../shared/pricing/money';
import type { RetiredWindow, Retirement } from '../learning/retire';
import { percent } from './percent';

/** What a week costs less. */
interface Saving {
  readonly nodeHours?: number;
  /** Where slices are not known to share nodes. */
  readonly sliceHours?: number;
  readonly cost?: Money;
}

export function savingOf(today: PlanFigures | undefined, proposed: PlanFigures | undefined): Saving | undefined {
  if (!today || !proposed) return undefined;
  const isPriced = today.cost && proposed.cost;
  return {
    ...(today.nodeHours === undefined || proposed.nodeHours === undefined
      ? { sliceHours: today.replicaHours - proposed.replicaHours }
      : { nodeHours: today.nodeHours - proposed.nodeHours }),
    ...(isPriced && { cost: plus(today.cost, times(proposed.cost, -1)) }),
  };
}

export function savingText({ nodeHours, sliceHours = 0, cost }: Saving): string {
  const saved = nodeHours ?? sliceHours;
  const money = cost ? ` and ${moneyText(saved < 0 ? times(cost, -1) : cost)}` : '';
  const hours = `${amount(Math.abs(saved))} ${nodeHours === undefined ? 'slice-hours' : 'node-hours'}${money}`;
  return `The coming week takes ${hours} ${saved < 0 ? 'more' : 'less'} than with today's config.`;
}

/** Why windows should go or shrink. */
export function retiredTexts(
  { windows, plan, before, after }: Retirement,
  base: number,
  hours: string,
): readonly string[] {
  const bases = plan.base === base ? '' : ` with a base of ${plan.base} in place of ${base}`;
  const [covers, covered] = [percent(after.share), percent(before.share)];
  const share = covers === covered ? 'as much of the rise' : `${covers} of the rise in place of ${covered}`;
  return [
    ...windows.map((one) => retiredText(one, hours)),
    `Then the config covers ${share}${bases}. At least three of the last five nights agree.`,
  ];
}

function retiredText({ window, size, added, constant, days }: RetiredWindow, hours: string): string {
  const held = `held ${amount(added.hours)} ${hours} a week`;
  const since = `in the last ${count(days, 'day')}`;
  if (size > 0)
    return `Shrink ${window.name} from ${window.replicas} to ${size}: ${since} demand needed no more, and it ${held}.`;
  if (added.share < 0.0005) return `Remove ${window.name}: ${since} demand did not need it, and it ${held}.`;
  return `Remove ${window.name}: ${since} it added ${percent(added.share)} of the rise and ${held}; a constant that adds as much holds ${amount(constant)}.`;
}

const ENOUGH = 'is enough for what demand climbed in the last';

/** The reason of a window that was shrunk. */
export function shrunkText({ window, size, days }: RetiredWindow): string {
  const more = window.relative ? ' more' : '';
  return `${size}${more} ${ENOUGH} ${count(days, 'day')}, in place of ${window.replicas}`;
}

/** Whether a comment is the reason of a window that an earlier run shrunk. */
export function isShrunkText(comment: string): boolean {
  return comment.includes(` ${ENOUGH} `);
}
