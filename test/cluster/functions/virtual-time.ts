const MINUTE = 60_000;

/** Minutes of a test's own time, as instants; how long the machine takes between two of them does not matter. */
export function virtualTime(): (minute: number) => number {
  const start = Math.floor(Date.now() / 1000) * 1000;
  return (minute) => start + minute * MINUTE;
}

/** A window that happens once, between two instants. */
export function onceWindow(name: string, from: number, to: number, desiredReplicas: number) {
  return { ...onceBetween(name, from, to), desiredReplicas };
}

/** The same, for more nodes than there are. */
export function onceMore(name: string, from: number, to: number, addNodes: number) {
  return { ...onceBetween(name, from, to), addNodes };
}

function onceBetween(name: string, from: number, to: number) {
  const local = (at: number) => new Date(at).toISOString().slice(0, 19);
  return { name, timezone: 'UTC', from: local(from), to: local(to) };
}
