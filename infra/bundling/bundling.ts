import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { type BuildResult, buildSync, type Metafile } from 'esbuild';
import { hashText } from '../../shared/core/basics/names';
import type { Config } from '../../shared/core/config/config';

const ROOT = join(__dirname, '..', '..');

/** The file of every bundle that Lambda loads. */
export const BUNDLE_FILE = 'index.mjs';
/** The handler of every bundle. */
export const BUNDLE_HANDLER = 'index.handler';

/** What goes into a bundle beside the code. */
export interface BundleOptions {
  /**
   * The config that the function finds beside its code as `config.json`.
   *
   * @default none
   */
  readonly config?: Config;

  /**
   * Other texts that the function finds beside its code, by file name.
   *
   * @default none
   */
  readonly files?: Readonly<Record<string, string>>;
}

type Built = BuildResult<{ write: false; metafile: true }>;
const builtEntries = new Map<string, Built>();

/**
 * The code of `lambdas/<entry>.ts` with everything that it imports. The hash of
 * the asset is that of the output: only a change of the code or of the config
 * changes the function.
 */
export function bundleLambda(entry: string, options: BundleOptions = {}): Code {
  const texts = JSON.stringify([options.config && configText(options.config), options.files]);
  return Code.fromAsset(join(ROOT, 'lambdas'), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never run: the bundle is made here, without Docker.
      image: DockerImage.fromRegistry('none'),
      // CDK tells the bundles of one folder apart by these words.
      command: [entry, hashText(texts)],
      local: {
        tryBundle: (folder) => {
          bundleTo(folder, entry, options);
          return true;
        },
      },
    },
  });
}

/** Writes the bundle of one function into a folder and returns what went into it. */
export function bundleTo(folder: string, entry: string, { config, files = {} }: BundleOptions = {}): Metafile {
  const { outputFiles, metafile } = build(entry);
  mkdirSync(folder, { recursive: true });
  for (const { path, contents } of outputFiles) writeFileSync(join(folder, basename(path)), contents);
  if (config) writeFileSync(join(folder, 'config.json'), configText(config));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return metafile;
}

/** The config as the functions read it: without the parts that only a deploy needs. */
export function configText({ karpenter: _, nodePools, ...rest }: Config): string {
  return JSON.stringify({ ...rest, nodePools: nodePools.map(({ pool: _, ...nodePool }) => nodePool) });
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
