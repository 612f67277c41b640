import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type File, Instrumenter } from '@stryker-mutator/instrumenter';
import { seededRandom, seedFor } from '../../lab/simulator/deterministic/seeded-random';

const ROOMS = ['lambdas/runtime', 'shared/adapters', 'shared/core'];
const SILENT = () => {};
const LOG = {
  ...{ isTraceEnabled: () => false, isDebugEnabled: () => false, isInfoEnabled: () => false },
  ...{ isWarnEnabled: () => false, isErrorEnabled: () => false, isFatalEnabled: () => false },
  ...{ trace: SILENT, debug: SILENT, info: SILENT, warn: SILENT, error: SILENT, fatal: SILENT },
};
const OPTIONS = { plugins: null, excludedMutations: [], ignorers: [] };

/** One change of StrykerJS' list. Its id is its place in the list of all. */
export interface Mutant {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly mutator: string;
  readonly before: string;
  readonly replacement: string;
  /** The id by which the instrumented code switches it on. */
  readonly activeId: string;
}

type Listed = Awaited<ReturnType<Instrumenter['instrument']>>['mutants'][number];

/** Draws mutants, and writes the files that can switch them on. */
export async function drawMutants(
  {
    seed,
    count,
    isDrawn,
  }: { readonly seed: number; readonly count: number; readonly isDrawn: (file: string) => boolean },
  write: (file: string, content: string) => void,
): Promise<{ readonly mutants: readonly Mutant[]; readonly listed: number }> {
  const contents = new Map(ROOMS.flatMap(sourcesIn).map((file) => [file, readFileSync(file, 'utf8')]));
  const all = await instrument([...contents].map(([name, content]) => ({ name, mutate: true, content })));
  const drawn = shuffled(all.mutants, seed)
    .filter(({ fileName }) => isDrawn(fileName))
    .slice(0, count);
  const files = [...new Set(drawn.map(({ fileName }) => fileName))].map((name) => ({
    name,
    // Only what was drawn: every other switch would make the tests slower.
    mutate: drawn.filter(({ fileName }) => fileName === name).map(({ location }) => location),
    content: contents.get(name) ?? '',
  }));
  const { files: written, mutants: placed } = await instrument(files);
  for (const { name, content } of written) write(name, content);
  const activeIds = new Map(placed.map((mutant) => [keyOf(mutant), mutant.id]));
  const mutants = drawn.map((mutant) => ({
    id: mutant.id,
    file: mutant.fileName,
    line: mutant.location.start.line + 1,
    mutator: mutant.mutatorName,
    before: textAt(contents.get(mutant.fileName) ?? '', mutant),
    replacement: mutant.replacement ?? '',
    activeId: activeIds.get(keyOf(mutant)) ?? '',
  }));
  return { mutants, listed: all.mutants.length };
}

function instrument(files: readonly File[]): ReturnType<Instrumenter['instrument']> {
  return new Instrumenter(LOG).instrument(files, OPTIONS);
}

function sourcesIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourcesIn(path);
    return path.endsWith('.ts') ? [path] : [];
  });
}

function shuffled<T>(items: readonly T[], seed: number): readonly T[] {
  const random = seededRandom(seedFor(seed, 'mutants'));
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

function keyOf({ fileName, location, mutatorName, replacement }: Listed): string {
  return JSON.stringify([fileName, location, mutatorName, replacement]);
}

function textAt(content: string, { location: { start, end } }: Listed): string {
  const lines = content.split('\n').slice(start.line, end.line + 1);
  const cut = [...lines.slice(0, -1), (lines.at(-1) ?? '').slice(0, end.column)];
  return cut.join('\n').slice(start.column);
}
