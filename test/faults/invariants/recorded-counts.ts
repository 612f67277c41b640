import { type Count, overrideKey, type PoolInputs } from './accepted-inputs';

interface WrittenRecord {
  readonly override?: { readonly reason: string; readonly at: string; readonly counted?: Count };
  readonly openings?: Readonly<Record<string, Count>>;
}

/** The node counts in a record, by occurrence or override. */
export function countsIn(text: string | undefined): ReadonlyMap<string, Count> {
  const { override, openings = {} } = JSON.parse(text ?? '{}') as WrittenRecord;
  const { reason = '', at = '', counted } = override ?? {};
  const ofOverride: [string, Count][] = counted ? [[overrideKey({ reason, at: Date.parse(at) }), counted]] : [];
  return new Map([...ofOverride, ...Object.entries(openings)]);
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
    const others = [...lostCounts.values(), ...known.values(), ...without(written, key)];
    const explained = count.assumed
      ? destroyedAt > 0
      : possible.includes(count.nodes) || others.some((one) => same(one, count));
    if (!first && !explained)
      return `counted ${count.nodes} nodes for ${key}, and there were ${[...new Set(possible)].join(' or ')}`;
    counts.set(key, count);
  }
  return undefined;
}

function same(a: Count, b: Count): boolean {
  return a.nodes === b.nodes && a.at === b.at;
}

function without(written: ReadonlyMap<string, Count>, key: string): Count[] {
  return [...written].flatMap(([other, count]) => (other === key ? [] : [count]));
}
