import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { API, NodeBuilderFlags } from 'typescript/unstable/sync';
import { ROOT } from '../../infra/bundling/root';

const DOOR = 'infra/index.d.ts';
/** The project of the constructs: `infra/index.ts` and what it imports. */
const PROJECT = join(ROOT, 'scripts/package/tsconfig.json');
const FLAGS = NodeBuilderFlags.NoTruncation | NodeBuilderFlags.InTypeAlias;
const FROM = /^(?:import|export) .*? from '([^']+)';$/gm;
/** What an app that imports the package has anyway. */
const PEERS = /^(aws-cdk-lib|constructs)(\/|$)/;

/** A declaration file, by its path from the root, and the names that others import from it. */
type Reached = Map<string, Set<string>>;

/**
 * Writes the declarations that `infra/index.ts` leads to, comments included.
 * Types that a schema infers are written out, so that nobody needs the schema's library.
 */
export function writeTypes(folder: string): void {
  const all = mkdtempSync(join(tmpdir(), 'headstart-types-'));
  const textOf = (file: string) => readFileSync(join(all, file), 'utf8');
  try {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [tsc, '-p', PROJECT, '--outDir', all], { stdio: 'inherit' });
    const reached = reachedFrom(DOOR, textOf);
    const foreign = new Map([...reached].filter(([file]) => isForeign(textOf(file))));
    const texts = new Map([
      ...[...reached.keys()].map((file) => [file, textOf(file)] as const),
      ...writtenOut(foreign),
    ]);
    for (const [file, text] of texts) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
  } finally {
    rmSync(all, { recursive: true });
  }
}

function reachedFrom(door: string, textOf: (file: string) => string): Reached {
  const reached: Reached = new Map([[door, new Set()]]);
  for (const file of reached.keys())
    for (const { path, names } of isForeign(textOf(file)) ? [] : importsOf(file, textOf(file)))
      reached.set(path, new Set([...(reached.get(path) ?? []), ...names]));
  return reached;
}

/** Whether the declarations need a library that an app need not have. */
function isForeign(text: string): boolean {
  return [...text.matchAll(FROM)].some(([, from = '']) => !from.startsWith('.') && !PEERS.test(from));
}

/** The files that a declaration imports, each with the names that it takes from there. */
function importsOf(
  file: string,
  text: string,
): readonly { readonly path: string; readonly names: readonly string[] }[] {
  return [...text.matchAll(FROM)]
    .filter(([, from = '']) => from.startsWith('.'))
    .map(([line, from = '']) => ({
      path: `${join(dirname(file), from)}.d.ts`,
      names: (/\{(.*)\}/.exec(line)?.[1] ?? '')
        .split(',')
        .map((name) => name.replace(/^ *(type )?| as .*| *$/g, ''))
        .filter((name) => name !== ''),
    }));
}

/**
 * Each file with the types that others take from it, as the compiler resolves them: without the names of other types.
 * The compiler's API may change with its next version, so package.json names an exact one; test:package compiles an app
 * with the result.
 */
function writtenOut(files: Reached): ReadonlyMap<string, string> {
  const api = new API({ cwd: ROOT });
  try {
    const project = api.updateSnapshot({ openProject: PROJECT }).getProject(PROJECT);
    if (!project) throw new Error(`${PROJECT} cannot be read`);
    const { checker, program } = project;
    const typeOf = (file: string, name: string) => {
      const source = program.getSourceFile(join(ROOT, file.replace(/\.d\.ts$/, '.ts')));
      const symbol = source && checker.getSymbolAtLocation(source);
      const exported = symbol && checker.getExportsOfModule(symbol).find((one) => one.name === name);
      if (!exported) throw new Error(`${file} exports no type ${name}`);
      return checker.typeToString(checker.getDeclaredTypeOfSymbol(exported), source, FLAGS);
    };
    const textOf = (file: string, names: ReadonlySet<string>) =>
      [...names].sort().map((name) => `export type ${name} = ${typeOf(file, name)};\n`);
    return new Map([...files].map(([file, names]) => [file, textOf(file, names).join('\n')]));
  } finally {
    api.close();
  }
}
