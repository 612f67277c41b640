import { type Count, overrideKey, type PoolInputs } from './accepted-inputs';

interface WrittenRecord {
  readonly override?: { readonly reason: string; readonly at: string; readonly counted?: Count };
  readonly counts?: Readonly<Record<string, Count>>;
  readonly alarms?: Readonly<Record<string, { readonly counted?: Count }>>;
}

/** The node counts in a record, by occurrence, override or alarm. */
export function countsIn(text: string | undefined): ReadonlyMap<string, Count> {
  const { override, counts = {}, alarms = {} } = JSON.parse(text ?? '{}') as WrittenRecord;
  const { reason = '', at = '', counted } = override ?? {};
  const ofOverride: [string, Count][] = counted ? [[overrideKey({ reason, at: Date.parse(at) }), counted]] : [];
  const ofAlarms = Object.entries(alarms).flatMap(([name, { counted: count }]): [string, Count][] =>
    count ? [[alarmKey(name, count.at), count]] : [],
  );
  return new Map([...ofOverride, ...ofAlarms, ...Object.entries(counts)]);
}

/** Each time that it is counted is another one. */
export function alarmKey(name: string, at = ''): string {
  return `alarm ${name}@${at}`;
}

/**
 * The first count of an occurrence stays until an operator destroys it. A new count must equal the number of nodes
 * at some moment of the invocation, or repeat a count that exists already.
 */
export function takeCounts(
  written: ReadonlyMap<string, Count>,
  { counts, lostCounts, destroyedAt }: PoolInputs,
  possible: readonly number[],
): string | undefined {
  const known = new Map(counts);
  for (const [key, count] of written) {
    const first = known.get(key);
    if (first && !same(first, count))
      return `counted ${count.nodes} nodes for ${key}, and ${first.nodes} was recorded already`;
    const lowest = lowestOf(key, known);
    if (count.assumed === undefined && count.nodes > lowest)
      return `${key} ratchets: it counted ${count.nodes} nodes, and ${lowest} before it added any`;
    const others = [...lostCounts.values(), ...known.values(), ...without(written, key)];
    const explained =
      count.assumed !== undefined
        ? destroyedAt > 0
        : possible.includes(count.nodes) || others.some((one) => same(one, count, key.startsWith('alarm ')));
    if (!first && !explained)
      return `counted ${count.nodes} nodes for ${key}, and there were ${[...new Set(possible)].join(' or ')}`;
    counts.set(key, count);
  }
  return undefined;
}

/** What was first counted for an alarm: within the hour that it is kept for, flapping makes it no higher. */
function lowestOf(key: string, known: ReadonlyMap<string, Count>): number {
  const prefix = key.startsWith('alarm ') ? key.slice(0, key.lastIndexOf('@') + 1) : undefined;
  const its = [...known].filter(([other]) => prefix !== undefined && other.startsWith(prefix));
  return Math.min(...its.flatMap(([, { nodes, assumed }]) => (assumed === undefined ? [nodes] : [])));
}

/** How long after its request an occurrence may begin, and how long before an override may have been counted. */
const OVERLAP_MS = 10 * 60_000;

/**
 * The nodes that were really there for a count. One that is assumed stands for a count that was lost: its own, or one
 * that stood at the time of its occurrence, or when it was derived: later occurrences inherit it with that time.
 */
export function trueCount(key: string, count: Count, { counts, lostCounts }: PoolInputs): number {
  if (count.assumed === undefined) return count.nodes;
  const start = Math.min(Date.parse(key.slice(key.lastIndexOf('@') + 1)), Date.parse(count.at));
  const seen = [...lostCounts.values(), ...counts.values()].filter(({ assumed }) => assumed === undefined);
  const stood = seen.filter(({ until }) => until === undefined || !(Date.parse(until) < start - OVERLAP_MS));
  return Math.max(0, ...stood.map(({ nodes }) => nodes));
}

/** A count that an alarm keeps or inherits has the time at which that was found out. */
function same(a: Count, b: Count, ofAlarm = false): boolean {
  return a.nodes === b.nodes && (ofAlarm || a.at === b.at);
}

function without(written: ReadonlyMap<string, Count>, key: string): Count[] {
  return [...written].flatMap(([other, count]) => (other === key ? [] : [count]));
}
