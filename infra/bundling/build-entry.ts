import { basename, join } from 'node:path';
import { type BuildResult, buildSync, type Metafile } from 'esbuild';
import { ROOT } from './root';
import { NODE_MAJOR } from './runtime';

export interface BundleFile {
  readonly name: string;
  readonly contents: Uint8Array;
}

type Built = BuildResult<{ write: false; metafile: true }>;
const builtEntries = new Map<string, Built>();

/** The same function with the code for live schedules, or for headrooms that are shaped like a workload, is an entry of its own. */
export const LIVE = '-live';
export const LIKE = '-like';

/** The files of one function, built from source. The npm package uses `read-entry.ts` instead. */
export function entryFiles(entry: string): readonly BundleFile[] {
  return build(entry).outputFiles.map(({ path, text }) => ({
    name: basename(path),
    contents: Buffer.from(withLazyBuiltins(text)),
  }));
}

export function entryInputs(entry: string): Metafile {
  return build(entry).metafile;
}

function build(entry: string): Built {
  const known = builtEntries.get(entry);
  if (known) return known;
  const built = buildSync({
    absWorkingDir: ROOT,
    stdin: { contents: sourceOf(entry), resolveDir: join(ROOT, 'lambdas') },
    entryNames: 'index',
    // Only for the names of chunks: nothing is written.
    outdir: 'bundle',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // Dynamic imports, such as an SDK client, become files that a cold start does not read.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: `node${NODE_MAJOR}`,
    // Prefer ES modules: CommonJS cannot be tree-shaken.
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'none',
    define: { __dirname: 'import.meta.dirname' },
    alias: { '@aws-sdk/credential-provider-node': './shared/adapters/aws/lambda-credentials.ts' },
    // The SDK uses it only in browsers; no code in the bundle refers to it.
    external: ['bowser'],
    // For CommonJS packages that require Node.js modules.
    banner: { js: 'const require=process.getBuiltinModule;' },
    logLevel: 'silent',
    write: false,
    metafile: true,
  });
  builtEntries.set(entry, built);
  return built;
}

/** With live schedules reconcile reads them, and the others decide by what is kept of them. */
function sourceOf(entry: string): string {
  const file = entry.replace(LIVE, '').replace(LIKE, '');
  const live = file === 'runtime/reconcile' ? 'readLive' : 'keptLive';
  const parts = [
    ...(entry.includes(LIVE) ? [part('live-ports', live, 'useLive')] : []),
    ...(entry.includes(LIKE) ? [part('like-ports', 'likePorts', 'useLike')] : []),
  ];
  return [...parts, `export { handler } from './${file}';`].join(' ');
}

function part(file: string, ports: string, use: string): string {
  return `import { ${ports} } from '../shared/adapters/kube/${file}'; import { ${use} } from './runtime/compose'; ${use}(${ports});`;
}

const BUILTIN_IMPORT = /\bimport(\{[^}]*\}|\*as \S+ | \S+ )from"(node:[^"]+)"/g;

/**
 * Importing a built-in module reads all of its exports, also those that Node.js would load on first use: `node:fs`
 * loads streams and readline, `node:crypto` Web Crypto. That would be a tenth of a cold start.
 */
function withLazyBuiltins(code: string): string {
  const lazy = code.replace(
    BUILTIN_IMPORT,
    (_, names: string, module: string) =>
      `const ${names.replace('*as ', '').replaceAll(' as ', ':')}=process.getBuiltinModule("${module}")`,
  );
  const left = /.{0,60}from"node:.{0,20}/.exec(lazy);
  if (left) throw new Error(`an import of a built-in module in another form than expected: ${left[0]}`);
  return lazy;
}
