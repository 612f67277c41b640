import {
  type Located,
  type LocatedEntry,
  type LocatedList,
  type LocatedMap,
  type Path,
  problemFor,
} from '../yaml/located';
import type { Place, Problem } from '../yaml/problem';
import { isNamed, isNamedList, isNodePool, isRemoval, nameOf } from './removable';

/** What one file makes of those before it, and what a person should know about that. */
export interface Merged {
  readonly tree: Located;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/**
 * Lays `over` on top of `base`, both of which stand at `path`:
 * - maps merge by key, and an empty key (null) changes nothing;
 * - `schedules` and `alarms` merge by `name`, every other list is replaced;
 * - `[]` and `{}` are values, and replace what was there;
 * - a `unit` of another kind (node, slice) replaces the whole unit, and a size of another kind (`addNodes`) that of a schedule, an alarm or an event;
 * - `{remove: true}` takes out what was there: a NodePool, a schedule or an alarm loudly, any other key quietly;
 * - everything else is replaced.
 */
export function mergeLocated(base: Located, over: Located, path: Path = []): Merged {
  const merge = new Merge();
  if (isNull(over)) return { tree: base, problems: [], warnings: [] };
  return { tree: merge.values(base, over, path), problems: merge.problems, warnings: merge.warnings };
}

class Merge {
  readonly problems: Problem[] = [];
  readonly warnings: Problem[] = [];

  values(base: Located, over: Located, path: Path): Located {
    if (base.kind === 'map' && over.kind === 'map' && over.entries.size > 0) return this.maps(base, over, path);
    const named = isNamedList(path) && base.kind === 'list' && over.kind === 'list' && isNamed(base) && isNamed(over);
    return named ? this.namedLists(base, over, path) : over;
  }

  private maps(base: LocatedMap, over: LocatedMap, path: Path): Located {
    const entries = new Map(base.entries);
    for (const [key, entry] of over.entries) {
      const [below, here] = [entries.get(key), [...path, key]];
      if (isNull(entry.value)) this.warn(entry.keyPlace, here, emptyWarning(here));
      else if (below && isRemoval(entry.value)) {
        const loud = 'is removed (remove: true); the next deploy deletes its headroom';
        this.remove(entry.value, entry.keyPlace, here, isNodePool(here) ? loud : undefined);
        entries.delete(key);
      } else entries.set(key, below ? this.entry(below, entry, here) : entry);
    }
    return { ...over, entries };
  }

  private entry(below: LocatedEntry, entry: LocatedEntry, path: Path): LocatedEntry {
    if (isEmptyMap(entry.value) && (isNodePool(path) || path.join() === 'defaults')) {
      const { file, line } = below.keyPlace;
      this.warn(entry.keyPlace, path, `is {}, which drops all that ${file}:${line} says about it`);
    }
    const otherUnit = path.at(-1) === 'unit' && !sharesAKey(below.value, entry.value);
    const value = otherUnit ? entry.value : this.values(below.value, entry.value, path);
    return { keyPlace: value === entry.value ? entry.keyPlace : below.keyPlace, value };
  }

  private namedLists(base: LocatedList, over: LocatedList, path: Path): Located {
    const items: (Located | undefined)[] = [...base.items];
    const indexes = new Map(base.items.map((item, index) => [nameOf(item), index] as const).reverse());
    for (const [index, item] of over.items.entries()) {
      const [name, here] = [nameOf(item), [...path, index]];
      const at = indexes.get(name);
      const below = at === undefined ? undefined : items[at];
      if (at === undefined || below === undefined) indexes.set(name, items.push(item) - 1);
      else if (isRemoval(item)) {
        this.remove(item, item.place, here, `removes ${JSON.stringify(name)} (remove: true)`);
        items[at] = undefined;
      } else items[at] = this.values(withoutOtherSize(below, item), item, here);
    }
    return { ...over, items: items.filter((item) => item !== undefined) };
  }

  /** What else a removal says would be lost without a word. */
  private remove({ entries }: LocatedMap, place: Place, path: Path, warning: string | undefined): void {
    const others = [...entries.keys()].filter((key) => !['remove', 'name', 'alarmName'].includes(key));
    const fault = `does not go with ${others.join(', ')}; write remove: true alone`;
    if (others.length > 0) this.problems.push(problemFor(place, [...path, 'remove'], fault));
    else if (warning !== undefined) this.warn(place, path, warning);
  }

  private warn(place: Place, path: Path, message: string): void {
    this.warnings.push(problemFor(place, path, message));
  }
}

const SIZES = ['desiredReplicas', 'addNodes', 'add'];

function withoutOtherSize(below: Located, item: Located): Located {
  const isSized = item.kind === 'map' && SIZES.some((size) => !isNull(item.entries.get(size)?.value));
  if (below.kind !== 'map' || !isSized) return below;
  return { ...below, entries: new Map([...below.entries].filter(([key]) => !SIZES.includes(key))) };
}

function emptyWarning(path: Path): string {
  return `is empty, which changes nothing; leave it out${isNodePool(path) ? ', or write remove: true to remove it' : ''}`;
}

function isNull(tree: Located | undefined): boolean {
  return tree === undefined || (tree.kind === 'scalar' && tree.value === null);
}

function isEmptyMap(tree: Located): boolean {
  return tree.kind === 'map' && tree.entries.size === 0;
}

function sharesAKey(a: Located, b: Located): boolean {
  return a.kind === 'map' && b.kind === 'map' && [...b.entries.keys()].some((key) => a.entries.has(key));
}
