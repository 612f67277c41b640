/** How far ahead of this clock an event may be dated before the clock counts instead. */
export const MAX_EVENT_AHEAD_MS = 60_000;

/** Times from outside are believed within bounds: after 1970, and not far ahead, since clocks differ only a little. */
export function isBelieved(at: number, receivedAt: number): boolean {
  return at >= 0 && at <= receivedAt + MAX_EVENT_AHEAD_MS;
}

/** The time that an event counts as of. */
export function believedTime(at: number, receivedAt: number): number {
  return isBelieved(at, receivedAt) ? at : receivedAt;
}
