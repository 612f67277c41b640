import { WRITTEN_AFTER_MS } from '../taken/taken';

const MINUTE = 60_000;
/** kube-scheduler itself tries again after five minutes. */
const LOOK_BACK_MS = 6 * MINUTE;

/**
 * The time of the newest preemption, if two or more that no wake-up has answered fell within a minute of each other:
 * only concurrent preemptions leave pods behind.
 */
export function unansweredBurst(
  preemptedAt: readonly number[],
  answeredUntil: number | undefined,
  tickAt: number,
): number | undefined {
  const since = Math.max(tickAt - LOOK_BACK_MS, answeredUntil ?? 0);
  const times = preemptedAt
    .filter((at) => at > since && at <= tickAt - WRITTEN_AFTER_MS)
    .sort((earlier, later) => earlier - later);
  const isBurst = times.some((at, index) => at - (times[index - 1] ?? Number.NEGATIVE_INFINITY) <= MINUTE);
  return isBurst ? times.at(-1) : undefined;
}
