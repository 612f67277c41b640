import { basename } from 'node:path';
import { type BuildResult, buildSync, type Metafile } from 'esbuild';
import { ROOT } from './root';

/** One file of a function's code. */
export interface BundleFile {
  readonly name: string;
  readonly contents: Uint8Array;
}

type Built = BuildResult<{ write: false; metafile: true }>;
const builtEntries = new Map<string, Built>();

/** The files of one function, built from source. The npm package uses `read-entry.ts` instead. */
export function entryFiles(entry: string): readonly BundleFile[] {
  return build(entry).outputFiles.map(({ path, contents }) => ({ name: basename(path), contents }));
}

/** The inputs of one function's files. */
export function entryInputs(entry: string): Metafile {
  return build(entry).metafile;
}

function build(entry: string): Built {
  const known = builtEntries.get(entry);
  if (known) return known;
  const built = buildSync({
    absWorkingDir: ROOT,
    entryPoints: { index: `lambdas/${entry}.ts` },
    // Only for the names of chunks: nothing is written.
    outdir: 'bundle',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // Dynamic imports, such as an SDK client, become files that a cold start does not read.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    // Prefer ES modules: CommonJS cannot be tree-shaken.
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'none',
    define: { __dirname: 'import.meta.dirname' },
    alias: { '@aws-sdk/credential-provider-node': './shared/adapters/aws/lambda-credentials.ts' },
    // The SDK uses it only in browsers; no code in the bundle refers to it.
    external: ['bowser'],
    // For CommonJS packages that require Node.js modules.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    logLevel: 'silent',
    write: false,
    metafile: true,
  });
  builtEntries.set(entry, built);
  return built;
}
