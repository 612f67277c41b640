import type { HeadstartEvent } from '../events/event';

/** EventBridge Scheduler is precise to a minute, and clocks differ by seconds. */
const MAX_TICK_AHEAD_MS = 90_000;

/**
 * The time to decide for. An edge that fires a moment early by this clock still
 * counts; a time that is far ahead is an error and is ignored.
 */
export function decisionTime(clock: number, events: readonly { readonly event: HeadstartEvent }[]): number {
  const scheduled = events.map(({ event }) => (event.kind === 'tick' ? (event.at ?? clock) : clock));
  return Math.max(clock, ...scheduled.filter((at) => at <= clock + MAX_TICK_AHEAD_MS));
}
