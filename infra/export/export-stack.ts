import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IStackSynthesizer } from 'aws-cdk-lib';
import type { Config } from '../../shared/core/config/config';
import { EXPORTED, MANIFESTS } from '../constructs/print-manifests';
import { HeadstartStack } from '../headstart-stack';
import { newApp } from '../new-app';
import { stackName } from '../stack-name';
import { assetFile, ExportSynthesizer } from './export-synthesizer';
import { zip } from './zip';

/** A stack as CloudFormation takes it from anybody. */
export interface ExportedStack {
  readonly stackName: string;
  /** JSON. */
  readonly template: string;
  readonly resources: number;
  /** The zipped functions, by file name. */
  readonly assets: ReadonlyMap<string, Buffer>;
  /** What a person applies to the cluster with manual access, by file name. */
  readonly manifests: ReadonlyMap<string, string>;
}

/** How to write it. */
export interface ExportStackOptions {
  /**
   * A new value makes CloudFormation call every deploy function again, with a new deploying role.
   *
   * @default they are called where something changed
   */
  readonly again?: string;
}

/** The headroom stack as a template and zipped functions, without anything of CDK's. */
export function exportStack(config: Config, now: Date, options: ExportStackOptions = {}): ExportedStack {
  const outdir = mkdtempSync(join(tmpdir(), 'headstart-export-'));
  try {
    const app = newApp({ outdir, analyticsReporting: false, context: { [EXPORTED]: true, ...options } });
    const synthesizer = new ExportSynthesizer();
    const stack = new HeadstartStack(app, stackName(config.cluster), {
      config,
      now,
      // CDK's own types are not strict about what is absent and what is undefined.
      synthesizer: synthesizer as IStackSynthesizer,
    });
    const { template } = app.synth().getStackArtifact(stack.artifactId);
    const assets = [...synthesizer.folders].map(
      ([hash, folder]) => [assetFile(hash), zipFolder(join(outdir, folder))] as const,
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
