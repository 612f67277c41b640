import { parseAllDocuments } from 'yaml';
import { importOverprovisioner } from '../../../lab/import/charts/overprovisioner';
import { finalize } from '../../../lab/import/finalize';
import type { InputDocument } from '../../../lab/import/input/documents';
import { type Imported, leftOversOf, writeImported } from '../../../lab/import/input/imported';
import { importProvisioner } from '../../../lab/import/karpenter/import-provisioner';
import { importKeda } from '../../../lab/import/keda/keda';
import { importPause } from '../../../lab/import/pause/pause';
import { formatPath } from '../../../shared/core/config/yaml/problem';
import {
  BETA,
  CODECENTRIC,
  DELIVERYHERO,
  HEADROOM,
  INFLATE,
  INFLATE_DEPLOYMENT,
  KEDA_SAMPLE,
  KEDA_TARGET,
  PROVISIONER,
} from './samples';

type Convert = (documents: readonly InputDocument[], nodePool: string) => Imported;

const CASES: readonly { name: string; convert: Convert; text: string }[] = [
  { name: 'keda', convert: importKeda, text: `${KEDA_SAMPLE}---${KEDA_TARGET}---${INFLATE}` },
  { name: 'deliveryhero', convert: importOverprovisioner, text: DELIVERYHERO },
  { name: 'codecentric', convert: importOverprovisioner, text: CODECENTRIC },
  {
    name: 'pause',
    convert: importPause,
    text: `${HEADROOM}---\n${INFLATE_DEPLOYMENT}---${KEDA_TARGET.replace('name: web,', 'name: inflate,')}`,
  },
  { name: 'provisioner', convert: importProvisioner, text: `${PROVISIONER}---${BETA}` },
];
const HEAD = { command: 'import', files: [], next: '', clusterName: 'shop', region: 'ap-northeast-2' };

interface Place {
  readonly map: Record<string, unknown>;
  readonly path: readonly PropertyKey[];
}

/** Answers the documents of a text, anew each time because the tests change them. */
function readerOf(text: string): () => InputDocument[] {
  const parsed = parseAllDocuments(text).map((document) => ({ file: 'input.yaml', value: document.toJS() }));
  return () => JSON.parse(JSON.stringify(parsed));
}

/** Every map of a document, with where it is. */
function placesOf(value: unknown, path: readonly PropertyKey[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, child]) =>
    placesOf(child, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return Array.isArray(value) ? inside : [{ map: value as Record<string, unknown>, path }, ...inside];
}

function placesIn(documents: readonly InputDocument[]): Place[] {
  return documents.flatMap(({ value }) => placesOf(value));
}

/** Whether a path, or a branch that it is in, is listed; what the config refuses is listed by its value. */
function isListed({ pools, others }: Imported, path: readonly PropertyKey[]): boolean {
  const left = [...pools.flatMap(({ sources }) => sources.flatMap(leftOversOf)), ...others];
  if (left.some(({ value }) => value.includes('found-me'))) return true;
  const listed = new Set(left.flatMap((one) => one.path.split(', ')));
  return path.some((_, index) => listed.has(formatPath(path.slice(0, index + 1))));
}

describe('an import loses nothing', () => {
  test.each(CASES)('of $name: whatever is added anywhere is carried over or listed', ({ convert, text }) => {
    const read = readerOf(text);
    const lost = placesIn(read()).flatMap((_, index) => {
      const documents = read();
      const { map, path } = placesIn(documents)[index] as Place;
      map.surprise = 'found-me';
      const imported = finalize(convert(documents, 'default'), HEAD);
      const carried = JSON.stringify(imported.pools.map(({ settings }) => settings)).includes('found-me');
      return carried || isListed(imported, [...path, 'surprise']) ? [] : [formatPath(path)];
    });
    expect(lost).toEqual([]);
  });

  test.each(CASES)('of $name: whatever is changed anywhere changes the config or its comments', ({ convert, text }) => {
    const read = readerOf(text);
    const before = finalize(convert(read(), 'default'), HEAD);
    const written = writeImported(before, HEAD);
    const silent = read()
      .flatMap(({ value }, index) => leavesOf(value).map((path) => ({ index, path })))
      .filter(({ index, path }) => {
        if (isListed(before, path)) return false;
        const documents = read();
        change(documents[index]?.value, path);
        const after = finalizeOrFail(() => finalize(convert(documents, 'default'), HEAD));
        return after !== undefined && writeImported(after, HEAD) === written;
      });
    expect(silent.map(({ path }) => formatPath(path)).filter((path) => !NO_MEANING.test(path))).toEqual([]);
  });
});

/** Versions of an API, and the kind of a target that is found by its name. */
const NO_MEANING = /apiVersion$|^spec\.scaleTargetRef\.|nodeClassRef\.kind$|^metadata\.name$/;

function leavesOf(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return value === null || value === '' ? [] : [path];
  return Object.entries(value).flatMap(([key, child]) =>
    leavesOf(child, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

function change(root: unknown, path: readonly (string | number)[]): void {
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((here, step) => (here as Record<string | number, unknown>)[step], root);
  const last = path.at(-1) ?? '';
  const map = holder as Record<string | number, unknown>;
  const old = map[last];
  map[last] = typeof old === 'number' ? old + 1 : typeof old === 'boolean' ? !old : `${old}x`;
}

/** `undefined` where nothing can be imported any more, which is said aloud. */
function finalizeOrFail(run: () => Imported): Imported | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
