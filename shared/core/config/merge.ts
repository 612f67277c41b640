import type { Located, LocatedEntry } from './located';

/**
 * Lays `over` on top of `base`:
 * - maps merge by key; a `null` in the overlay takes the key away;
 * - `schedules` and `alarms` merge by `name`, every other list is replaced;
 * - a `unit` of another kind (node, slice) replaces the whole unit;
 * - everything else is replaced.
 */
export function mergeLocated(base: Located, over: Located): Located {
  if (base.kind === 'map' && over.kind === 'map') return mergeMaps(base, over);
  return over;
}

/** Selectors have a `name` too, but there it is a pattern. */
const NAMED_LISTS: readonly string[] = ['schedules', 'alarms'];

type LocatedMap = Extract<Located, { kind: 'map' }>;
type LocatedList = Extract<Located, { kind: 'list' }>;

function mergeMaps(base: LocatedMap, over: LocatedMap): Located {
  const entries = new Map(base.entries);
  for (const [key, entry] of over.entries) {
    const below = entries.get(key);
    if (isNull(entry.value)) entries.delete(key);
    else if (!below || (key === 'unit' && !sharesAKey(below.value, entry.value))) entries.set(key, entry);
    else entries.set(key, mergeEntry(key, below, entry));
  }
  return { ...over, entries };
}

function mergeEntry(key: string, below: LocatedEntry, entry: LocatedEntry): LocatedEntry {
  const value = NAMED_LISTS.includes(key)
    ? mergeList(below.value, entry.value)
    : mergeLocated(below.value, entry.value);
  return { keyPlace: value === entry.value ? entry.keyPlace : below.keyPlace, value };
}

function mergeList(base: Located, over: Located): Located {
  const named = base.kind === 'list' && over.kind === 'list' && isNamed(base) && isNamed(over);
  return named ? mergeNamed(base, over) : mergeLocated(base, over);
}

function mergeNamed(base: LocatedList, over: LocatedList): Located {
  const items = [...base.items];
  for (const item of over.items) {
    const index = items.findIndex((other) => nameOf(other) === nameOf(item));
    const below = items[index];
    if (below) items[index] = mergeLocated(below, item);
    else items.push(item);
  }
  return { ...over, items };
}

/** An alarm that exists already is known by its `alarmName`. */
function nameOf(item: Located): string | undefined {
  if (item.kind !== 'map') return undefined;
  const name = (item.entries.get('name') ?? item.entries.get('alarmName'))?.value;
  return name?.kind === 'scalar' && name.value !== null ? String(name.value) : undefined;
}

function isNamed(list: LocatedList): boolean {
  return list.items.length > 0 && list.items.every((item) => nameOf(item) !== undefined);
}

function isNull(tree: Located): boolean {
  return tree.kind === 'scalar' && tree.value === null;
}

function sharesAKey(a: Located, b: Located): boolean {
  return a.kind === 'map' && b.kind === 'map' && [...b.entries.keys()].some((key) => a.entries.has(key));
}
