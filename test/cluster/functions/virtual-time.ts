const MINUTE = 60_000;

/** Minutes of a test's own time, 0 to 14, as instants; so near to now that the tokens signed then are still accepted. */
export function virtualTime(): (minute: number) => number {
  const start = Math.floor(Date.now() / 1000) * 1000 - 10 * MINUTE;
  return (minute) => start + minute * MINUTE;
}

/** A window that happens once, between two instants. */
export function onceWindow(name: string, from: number, to: number, desiredReplicas: number) {
  const local = (at: number) => new Date(at).toISOString().slice(0, 19);
  return { name, timezone: 'UTC', from: local(from), to: local(to), desiredReplicas };
}
