import { formatPath, type Place, type Problem } from './problem';

/** A YAML value that remembers where each part of it was written, also after overlays are merged. */
export type Located = { readonly place: Place } & (
  | { readonly kind: 'map'; readonly entries: ReadonlyMap<string, LocatedEntry> }
  | { readonly kind: 'list'; readonly items: readonly Located[] }
  | { readonly kind: 'scalar'; readonly value: unknown }
);

export interface LocatedEntry {
  readonly keyPlace: Place;
  readonly value: Located;
}

export type LocatedMap = Extract<Located, { kind: 'map' }>;
export type LocatedList = Extract<Located, { kind: 'list' }>;

/** The way to a value in the config: keys of maps and indexes of lists. */
export type Path = readonly PropertyKey[];

/** The plain value, as `JSON.parse` would give it. */
export function plain(tree: Located): unknown {
  switch (tree.kind) {
    case 'scalar':
      return tree.value;
    case 'list':
      return tree.items.map(plain);
    case 'map':
      return Object.fromEntries([...tree.entries].map(([key, { value }]) => [key, plain(value)]));
  }
}

/** The place of a path, or of its nearest ancestor that was written; a key's own place where the path names a key. */
function placeOf(tree: Located, path: Path): Place {
  let [here, place] = [tree, tree.place];
  for (const step of path) {
    const next = child(here, step);
    if (!next) break;
    here = next.value;
    place = next.keyPlace;
  }
  return place;
}

/** A problem at a path of the merged config. */
export function problemAt(tree: Located, path: Path, message: string): Problem {
  return problemFor(placeOf(tree, path), path, message);
}

/** A problem with a path, at a place that is known. */
export function problemFor(place: Place, path: Path, message: string): Problem {
  return { ...place, path: formatPath(path), message };
}

/** The plain value at a path; `undefined` when nothing was written there. */
export function valueAt(tree: Located, path: Path): unknown {
  let here: Located | undefined = tree;
  for (const step of path) {
    here = child(here, step)?.value;
    if (!here) return undefined;
  }
  return plain(here);
}

function child(tree: Located, step: PropertyKey): LocatedEntry | undefined {
  if (tree.kind === 'map') return tree.entries.get(String(step));
  const item = tree.kind === 'list' ? tree.items[Number(step)] : undefined;
  return item && { keyPlace: item.place, value: item };
}
