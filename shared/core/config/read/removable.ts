import { type Located, type LocatedList, type LocatedMap, type Path, problemFor } from '../yaml/located';
import type { Problem } from '../yaml/problem';

/** Selectors have a `name` too, but there it is a pattern. */
const NAMED_LISTS: readonly (PropertyKey | undefined)[] = ['schedules', 'alarms', 'events'];

export function isNodePool(path: Path): boolean {
  return path.length === 2 && path[0] === 'nodePools';
}

/** Whether the list at a path is one of things with names, which overlays change one by one. */
export function isNamedList(path: Path): boolean {
  return NAMED_LISTS.includes(path.at(-1));
}

/** An alarm that exists already is known by its `alarmName`. */
export function nameOf(item: Located): string | undefined {
  if (item.kind !== 'map') return undefined;
  const name = (item.entries.get('name') ?? item.entries.get('alarmName'))?.value;
  return name?.kind === 'scalar' && name.value !== null ? String(name.value) : undefined;
}

export function isNamed(list: LocatedList): boolean {
  return list.items.length > 0 && list.items.every((item) => nameOf(item) !== undefined);
}

/** `remove: true`. */
export function isRemoval(tree: Located): tree is LocatedMap {
  if (tree.kind !== 'map') return false;
  const remove = tree.entries.get('remove')?.value;
  return remove?.kind === 'scalar' && remove.value === true;
}

/** The tree without the removals that found nothing to take out, which are mistakes. */
export function withoutStrayRemovals(tree: Located): { tree: Located; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const isStray = (value: Located, path: Path): boolean => {
    if (!isRemoval(value)) return false;
    const message = 'has remove: true, but there is nothing of that name to take out; leave it out';
    problems.push(problemFor(value.place, path, message));
    return true;
  };
  const clean = (value: Located, path: Path): Located => {
    if (value.kind === 'scalar') return value;
    const kept = <T>(key: PropertyKey, child: Located, make: (cleaned: Located) => T): readonly T[] => {
      const here = [...path, key];
      return isStray(child, here) ? [] : [make(clean(child, here))];
    };
    if (value.kind === 'list')
      return { ...value, items: value.items.flatMap((item, index) => kept(index, item, (cleaned) => cleaned)) };
    const entries = [...value.entries].flatMap(([key, entry]) =>
      kept(key, entry.value, (cleaned) => [key, { ...entry, value: cleaned }] as const),
    );
    return { ...value, entries: new Map(entries) };
  };
  return { tree: clean(tree, []), problems };
}
