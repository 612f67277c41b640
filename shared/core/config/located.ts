import { type Alias, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml';
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

export interface ConfigSource {
  readonly file: string;
  readonly text: string;
}

/** Reads one YAML file; syntax errors are problems with a place, like any other. */
export function readLocated({ file, text }: ConfigSource): { tree: Located; problems: Problem[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const problems = document.errors.map(
    (error): Problem => ({ ...placeAt(error.pos[0]), path: '', message: `is not valid YAML: ${error.message}` }),
  );
  const reader = { placeAt, resolve: (alias: Alias) => alias.resolve(document) };
  return { tree: locate(document.contents, { file, line: 1, column: 1 }, reader), problems };
}

interface Reader {
  placeAt(offset: number): Place;
  resolve(alias: Alias): Node | undefined;
}

function locate(node: Node | null | undefined, fallback: Place, reader: Reader): Located {
  const place = placeOfNode(node, fallback, reader);
  if (isAlias(node)) return { ...locate(reader.resolve(node), place, reader), place };
  if (isSeq(node)) return { kind: 'list', place, items: node.items.map((item) => locate(item as Node, place, reader)) };
  if (isMap(node)) return { kind: 'map', place, entries: locateEntries(node, place, reader) };
  return { kind: 'scalar', place, value: isScalar(node) ? node.value : null };
}

function locateEntries(map: YAMLMap, place: Place, reader: Reader): Map<string, LocatedEntry> {
  const entries = new Map<string, LocatedEntry>();
  for (const { key, value } of map.items) {
    const name = isScalar(key) ? String(key.value) : String(key);
    const keyPlace = placeOfNode(key as Node, place, reader);
    const child = locate(value as Node | null, keyPlace, reader);
    // `<<: *anchor` lends its keys to those that are not written here.
    if (name === '<<' && child.kind === 'map')
      for (const [lent, entry] of child.entries) entries.set(lent, entries.get(lent) ?? entry);
    else entries.set(name, { keyPlace, value: child });
  }
  return entries;
}

function placeOfNode(node: Node | null | undefined, fallback: Place, { placeAt }: Reader): Place {
  return node?.range ? placeAt(node.range[0]) : fallback;
}

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

type Path = readonly PropertyKey[];

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
  return { ...placeOf(tree, path), path: formatPath(path), message };
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
