const MAX_AHEAD = 5 * 60_000;

/**
 * The time to decide for: an edge that fires a moment early by this clock still
 * counts, but a time far ahead is somebody's mistake and must not move the day.
 */
export function decisionTime(clock: number, scheduled: number | undefined): number {
  return scheduled !== undefined && scheduled > clock && scheduled - clock <= MAX_AHEAD ? scheduled : clock;
}
