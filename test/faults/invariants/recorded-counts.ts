import { type Account, type Count, orderKey } from './accepted-inputs';

interface WrittenRecord {
  readonly override?: { readonly reason: string; readonly at: string; readonly counted?: Count };
  readonly openings?: Readonly<Record<string, Count>>;
}

/** The counts that stand in a record, by the opening or the order that they were made for. */
export function countsIn(text: string | undefined): ReadonlyMap<string, Count> {
  const { override, openings = {} } = JSON.parse(text ?? '{}') as WrittenRecord;
  const { reason = '', at = '', counted } = override ?? {};
  const ordered: [string, Count][] = counted ? [[orderKey({ reason, at: Date.parse(at) }), counted]] : [];
  return new Map([...ordered, ...Object.entries(openings)]);
}

/**
 * The first count of an opening stays, unless somebody destroys it; a new one is what there was to count,
 * or was there before for something that stands.
 */
export function takeCounts(
  written: ReadonlyMap<string, Count>,
  { counts, lostCounts, destroyedAt }: Account,
  possible: readonly number[],
): string | undefined {
  const known = new Map(counts);
  for (const [key, count] of written) {
    const first = known.get(key);
    if (first && !same(first, count))
      return `counted ${count.nodes} nodes for ${key}, and ${first.nodes} stood there already`;
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
