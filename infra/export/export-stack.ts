import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CfnParameter,
  type DockerImageAssetLocation,
  type FileAssetLocation,
  FileAssetPackaging,
  type FileAssetSource,
  Fn,
  type IStackSynthesizer,
  type ISynthesisSession,
  type Stack,
  StackSynthesizer,
} from 'aws-cdk-lib';
import type { Config } from '../../shared/core/config/config';
import { EXPORTED, MANIFESTS } from '../constructs/print-manifests';
import { HeadstartStack } from '../headstart-stack';
import { newApp } from '../new-app';
import { stackName } from '../stack-names';
import { zip } from './zip';

export interface ExportedStack {
  readonly stackName: string;
  /** JSON. */
  readonly template: string;
  readonly resources: number;
  /** The zipped functions, by file name. */
  readonly assets: ReadonlyMap<string, Buffer>;
  /** The manifests to apply by hand with manual access, by file name. */
  readonly manifests: ReadonlyMap<string, string>;
}

/**
 * The headroom stack as a template and zipped functions, independent of CDK. A new value of `again` makes CloudFormation
 * call every deploy function again, with a new deploying role.
 */
export function exportStack(config: Config, now: Date, options: { readonly again?: string } = {}): ExportedStack {
  const outdir = mkdtempSync(join(tmpdir(), 'headstart-export-'));
  try {
    const app = newApp({ outdir, analyticsReporting: false, context: { [EXPORTED]: true, ...options } });
    const synthesizer = new ExportSynthesizer();
    const stack = new HeadstartStack(app, stackName(config.cluster), {
      config,
      now,
      // CDK's types do not satisfy exactOptionalPropertyTypes.
      synthesizer: synthesizer as IStackSynthesizer,
    });
    const { template } = app.synth().getStackArtifact(stack.artifactId);
    const assets = [...synthesizer.folders].map(
      ([hash, folder]) => [`${hash}.zip`, zipFolder(join(outdir, folder))] as const,
    );
    return {
      stackName: stack.stackName,
      template: `${JSON.stringify(template, null, 1)}\n`,
      resources: Object.keys(template.Resources).length,
      assets: new Map(assets.sort(([a], [b]) => (a < b ? -1 : 1))),
      manifests: new Map(
        readdirSync(outdir)
          .filter((name) => MANIFESTS.test(name))
          .map((name) => [name, readFileSync(join(outdir, name), 'utf8')]),
      ),
    };
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

function zipFolder(folder: string): Buffer {
  return zip(readdirSync(folder).map((name) => ({ name, contents: readFileSync(join(folder, name)) })));
}

/** Takes the functions from a bucket that is a parameter, so that the account need not be bootstrapped for CDK. */
class ExportSynthesizer extends StackSynthesizer {
  /** The folders to zip, by their hashes; relative to the output of the synth. */
  readonly folders = new Map<string, string>();
  private location: { readonly bucket: string; readonly prefix: string } | undefined;

  override bind(stack: Stack): void {
    super.bind(stack);
    const bucket = new CfnParameter(stack, 'AssetsBucket', {
      description: "The bucket that holds the zipped functions, in the stack's region",
    });
    const prefix = new CfnParameter(stack, 'AssetsPrefix', {
      description: 'What their keys start with',
      default: 'headstart/',
    });
    this.location = { bucket: bucket.valueAsString, prefix: prefix.valueAsString };
  }

  override addFileAsset({ fileName, packaging, sourceHash }: FileAssetSource): FileAssetLocation {
    if (!this.location) throw new Error('the synthesizer is not bound to a stack');
    if (fileName === undefined || packaging !== FileAssetPackaging.ZIP_DIRECTORY)
      throw new Error(`${fileName ?? sourceHash} cannot be exported: only folders of code can`);
    this.folders.set(sourceHash, fileName);
    const { bucket, prefix } = this.location;
    const objectKey = Fn.join('', [prefix, `${sourceHash}.zip`]);
    const url = Fn.join('', ['s3://', bucket, '/', objectKey]);
    return { bucketName: bucket, objectKey, httpUrl: url, s3ObjectUrl: url };
  }

  override addDockerImageAsset(): DockerImageAssetLocation {
    throw new Error('container images cannot be exported');
  }

  override synthesize(session: ISynthesisSession): void {
    this.synthesizeTemplate(session);
    this.emitArtifact(session);
  }
}
