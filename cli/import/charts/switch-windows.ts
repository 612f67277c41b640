import type { CronFields } from '../../../shared/core/windows/cron';
import { nextLocal } from '../../../shared/core/windows/occurrences';

/** One switch: it sets the replicas at each of its times, until another switch does. */
export interface Switch {
  readonly name: string;
  readonly cron: CronFields;
  readonly replicas: number;
}

const YEAR = 366 * 86_400_000;
const START = Date.UTC(2026, 0, 1);
const MAX_STEPS = 20_000;

/**
 * For each switch the only other one that ever follows it, by index; `undefined`
 * where several do, or none: such a switch is no window with one end.
 */
export function successors(switches: readonly Switch[]): readonly (number | undefined)[] {
  const followers = switches.map(() => new Set<number>());
  let active: number | undefined;
  let at = START;
  for (let step = 0; step < MAX_STEPS && at < START + YEAR; step += 1) {
    const next = earliest(switches, at);
    if (!next) break;
    if (active !== undefined && next.index !== active) followers[active]?.add(next.index);
    active = next.index;
    at = next.at;
  }
  return followers.map((others) => (others.size === 1 ? [...others][0] : undefined));
}

/** On one instant the last of the list wins, as the last CronJob to run does. */
function earliest(
  switches: readonly Switch[],
  after: number,
): { readonly index: number; readonly at: number } | undefined {
  let best: { index: number; at: number } | undefined;
  for (const [index, { cron }] of switches.entries()) {
    const at = nextLocal(cron, after);
    if (at !== undefined && (!best || at <= best.at)) best = { index, at };
  }
  return best;
}
