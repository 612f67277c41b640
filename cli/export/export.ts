import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExportedStack } from '../../infra/export/export-stack';
import type { Config } from '../../shared/core/config/config';
import { poolBlocks } from '../../shared/core/karpenter/node-pools';
import { count } from '../../shared/drawing/amounts';
import { type Commands, commandsFor } from '../input/commands';
import { type ConfigOptions, loadOrFail } from '../input/load-or-fail';
import { EXIT, InputError } from '../terminal/exit';
import { shellQuoted } from '../terminal/shell-quoted';
import type { Terminal } from '../terminal/terminal';

export interface ExportOptions extends ConfigOptions {
  readonly out: string;
  readonly s3Bucket?: string;
  readonly again?: boolean;
}

const TEMPLATE = 'headstart.template.json';
const ASSETS = 'assets';
const OURS = /^[0-9a-f]{64}\.zip$/;
const MANIFESTS = /^headstart-manifests-.*\.yaml$/;
const PREFIX = 'headstart';

export async function exportTemplate(options: ExportOptions, terminal: Terminal): Promise<number> {
  const config = loadOrFail(options, terminal);
  refuseKarpenter(config, commandsFor(options, terminal));
  const { exportStack } = await loadInfra();
  const now = new Date(terminal.now());
  const exported = exportStack(config, now, options.again ? { again: now.toISOString() } : {});
  const { stackName, resources, assets, manifests } = exported;
  const { out } = options;
  writeAll(out, exported);
  const written = [
    `${join(out, TEMPLATE)} (${count(resources, 'resource')})`,
    ...[...manifests.keys()].map((name) => join(out, name)),
  ];
  terminal.err(`wrote ${written.join(', ')} and ${count(assets.size, 'zipped function')} in ${join(out, ASSETS)}\n`);
  terminal.out(`${deployCommands(options, config, stackName)}\n`);
  return EXIT.ok;
}

/** Karpenter's prerequisites must outlive the headroom, so they need a stack, and a template, of their own. */
function refuseKarpenter({ karpenter, headrooms }: Config, { deploy }: Commands): void {
  const pools = poolBlocks({ headrooms }).map(({ nodePool }) => nodePool.name);
  const found = [
    ...(karpenter?.manage ? ['karpenter.manage'] : []),
    ...(pools.length > 0 ? [`${pools.length === 1 ? 'a pool block' : 'pool blocks'} (${pools.join(', ')})`] : []),
  ];
  if (found.length === 0) return;
  throw new InputError(
    [
      `the config has ${found.join(' and ')}, which export cannot write: Karpenter's prerequisites and NodePools belong to a stack of their own, which must outlive the headroom.`,
      `Deploy this config with ${deploy()}, or keep Karpenter and its NodePools where you manage them today and remove these from the config.`,
    ].join('\n'),
  );
}

/** Loads the constructs for this command only, with the CDK that the user has installed. */
async function loadInfra(): Promise<typeof import('../../infra/export/export-stack')> {
  try {
    return await import('../../infra/export/export-stack');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' || !/'(aws-cdk-lib|constructs)'/.test(message)) throw error;
    throw new InputError(
      'export needs the CDK library: run npm install aws-cdk-lib constructs in this folder, then run export again',
    );
  }
}

function writeAll(out: string, { template, assets, manifests }: ExportedStack): void {
  const folder = join(out, ASSETS);
  try {
    mkdirSync(folder, { recursive: true });
    writeFolder(folder, assets, OURS);
    writeFolder(out, manifests, MANIFESTS);
    writeFileSync(join(out, TEMPLATE), template);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(`--out ${out}: cannot be written (${code}); pass a folder that you can write to`);
  }
}

/** Also removes what an earlier export wrote. */
function writeFolder(folder: string, files: ReadonlyMap<string, Buffer | string>, ours: RegExp): void {
  for (const name of readdirSync(folder)) if (ours.test(name) && !files.has(name)) rmSync(join(folder, name));
  for (const [name, contents] of files) writeFileSync(join(folder, name), contents);
}

/** A template of this size has to be uploaded to a bucket. */
function deployCommands(options: ExportOptions, { cluster: { region }, stack }: Config, stackName: string): string {
  const { out, s3Bucket: bucket = '<bucket>' } = options;
  return [
    `aws s3 cp ${shellQuoted(join(out, ASSETS))} s3://${bucket}/${PREFIX}/ --recursive --region ${region}`,
    [
      'aws cloudformation deploy',
      `--region ${region} --stack-name ${stackName}`,
      `--template-file ${shellQuoted(join(out, TEMPLATE))} --s3-bucket ${bucket} --s3-prefix ${PREFIX}`,
      `--parameter-overrides AssetsBucket=${bucket} --capabilities CAPABILITY_NAMED_IAM`,
    ].join(' \\\n  '),
    // Termination protection cannot be set in a template.
    stack?.terminationProtection === true &&
      `aws cloudformation update-termination-protection --enable-termination-protection --region ${region} --stack-name ${stackName}`,
  ]
    .filter((line) => line !== false)
    .join('\n');
}
