import { basename } from 'node:path';
import { type BuildResult, buildSync, type Metafile } from 'esbuild';
import { type BundleFile, ROOT } from './root';

type Built = BuildResult<{ write: false; metafile: true }>;
const builtEntries = new Map<string, Built>();

/** The files of one function, built from the sources of this checkout. The npm package reads them instead: `read-entry.ts`. */
export function entryFiles(entry: string): readonly BundleFile[] {
  return build(entry).outputFiles.map(({ path, contents }) => ({ name: basename(path), contents }));
}

/** What went into the files of one function. */
export function entryInputs(entry: string): Metafile {
  return build(entry).metafile;
}

function build(entry: string): Built {
  const known = builtEntries.get(entry);
  if (known) return known;
  const built = buildSync({
    absWorkingDir: ROOT,
    entryPoints: { index: `lambdas/${entry}.ts` },
    // Only names the chunks: nothing is written here.
    outdir: 'bundle',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What is imported on demand, such as an SDK client, becomes a file that a cold start does not read.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    // The packages' ES modules: of CommonJS ones nothing can be shaken off.
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'none',
    define: { __dirname: 'import.meta.dirname' },
    alias: { '@aws-sdk/credential-provider-node': './shared/adapters/aws/lambda-credentials.ts' },
    // The SDK loads it only in a browser; nothing that is left of the bundle names it.
    external: ['bowser'],
    // For CommonJS packages that require what Node.js brings.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    logLevel: 'silent',
    write: false,
    metafile: true,
  });
  builtEntries.set(entry, built);
  return built;
}
