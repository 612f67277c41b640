import type { Followed } from './kept-like';

/** What a size is held for after the last reading that asked for it. */
const DOWN_AFTER_MS = 300_000;
/** Clocks differ by less; a later time was not written by us. */
const MAX_AHEAD_MS = 300_000;

/**
 * What a share of `base` is taken of after a reading: up at once, down only to what has been the most for five minutes.
 * `sizeOf` says which readings make a difference; all others change nothing, so that nothing is written. An
 * autoscaler that goes up and down is written at most twice in five minutes.
 */
export function followBase(
  before: Followed | undefined,
  replicas: number,
  now: number,
  sizeOf: (replicas: number) => number,
): Followed {
  if (!before) return { replicas };
  const { lowSince, again = before.replicas } = before;
  const at = new Date(now).toISOString();
  // What falls within five minutes of a change is seen after them: an autoscaler waits as long before it goes down.
  const settled = (level: number) => ({ replicas: level, lowSince: at, again: level });
  if (sizeOf(replicas) > sizeOf(before.replicas)) return settled(replicas);
  const isLow = sizeOf(replicas) < sizeOf(before.replicas);
  const low = { replicas: before.replicas, lowSince: at, again: replicas };
  if (lowSince === undefined) return isLow ? low : before;
  const since = now - Date.parse(lowSince);
  const isOver = since >= DOWN_AFTER_MS || since < -MAX_AHEAD_MS;
  const wentUp = sizeOf(again) >= sizeOf(before.replicas);
  if (wentUp) return isLow && isOver ? low : before;
  // How far it went up does not matter: nothing goes down for five minutes, and then they begin anew.
  if (!isLow || (sizeOf(replicas) > sizeOf(again) && !isOver)) return settled(before.replicas);
  if (!isOver) return before;
  const most = Math.max(again, replicas);
  return sizeOf(replicas) < sizeOf(most) ? { ...low, replicas: most } : settled(most);
}
