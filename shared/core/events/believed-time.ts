/** An event that is dated further ahead of this clock counts as of now. */
export const MAX_EVENT_AHEAD_MS = 60_000;

/** Whether an event's own time is plausible: after 1970 and not far ahead. */
export function isBelieved(at: number, receivedAt: number): boolean {
  return at >= 0 && at <= receivedAt + MAX_EVENT_AHEAD_MS;
}

/** The time as of which an event counts. */
export function believedTime(at: number, receivedAt: number): number {
  return isBelieved(at, receivedAt) ? at : receivedAt;
}
