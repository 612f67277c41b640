import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { hashText } from '../../shared/core/basics/names';
import { type Config, runtimeConfig } from '../../shared/core/config/config';
import { entryFiles } from './build-entry';
import { ROOT } from './root';

export const BUNDLE_FILE = 'index.mjs';
export const BUNDLE_HANDLER = 'index.handler';

export interface BundleOptions {
  /** The function's config, bundled as `config.json`. @default none */
  readonly config?: Config;

  /** Other bundled text files, by name. @default none */
  readonly files?: Readonly<Record<string, string>>;
}

/**
 * The code of `lambdas/<entry>.ts` with everything that it imports. The asset's hash is that of the output, so only a
 * change of the code or the config changes the function.
 */
export function bundleLambda(entry: string, options: BundleOptions = {}): Code {
  const texts = JSON.stringify([options.config && configText(options.config), options.files]);
  // Any existing folder: the output is what is deployed.
  return Code.fromAsset(join(ROOT, 'bin'), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never run: the bundle is built locally, without Docker.
      image: DockerImage.fromRegistry('none'),
      // CDK distinguishes the bundles of one folder by this command.
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

export function bundleTo(folder: string, entry: string, { config, files = {} }: BundleOptions = {}): void {
  mkdirSync(folder, { recursive: true });
  for (const { name, contents } of entryFiles(entry)) writeFileSync(join(folder, name), contents);
  if (config) writeFileSync(join(folder, 'config.json'), configText(config));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

/** The config as the functions read it. */
export function configText(config: Config): string {
  return JSON.stringify(runtimeConfig(config));
}
