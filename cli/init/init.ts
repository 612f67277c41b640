import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { context } from '../../cdk.json';
import { isTimezone } from '../../shared/core/windows/zone';
import { type FileHead, writeConfig } from '../config-file/write-config';
import { type Commands, command, commandsFor } from '../input/commands';
import { writeFileOrFail } from '../input/files';
import { clusterMismatch } from '../kube/same-cluster';
import { EXIT, InputError } from '../terminal/exit';
import { jsonText, type Terminal } from '../terminal/terminal';
import { poolEntries, starter } from './pool-entries';
import { readCluster } from './read-node-pools';

export interface InitOptions {
  readonly out: string;
  readonly kubeconfig?: string;
  readonly cluster?: string;
  readonly region?: string;
  readonly app?: boolean;
  readonly force?: boolean;
}

const notes = (next: string, timezone: string) => [
  `It requests no headroom yet: add schedules or a base, then run ${next}.`,
  'A window, for any NodePool:',
  '  schedules:',
  `    - { name: lunch, timezone: ${timezone}, start: 30 11 * * MON-FRI, end: 30 13 * * MON-FRI, desiredReplicas: 3 }`,
];

export async function init(options: InitOptions, terminal: Terminal): Promise<number> {
  const { out } = options;
  const commands = commandsFor(
    { config: out, ...(options.kubeconfig !== undefined && { kubeconfig: options.kubeconfig }) },
    terminal,
  );
  const files = new Map([
    [out, await configText(options, commands, terminal)],
    ...(options.app ? appFiles(basename(out)).map(([name, text]) => [join(dirname(out), name), text] as const) : []),
  ]);
  const taken = [...files.keys()].filter((file) => existsSync(file));
  if (taken.length > 0 && !options.force)
    throw new InputError(
      `${taken.join(', ')}: already ${taken.length === 1 ? 'exists' : 'exist'}; add --force to overwrite, or pass another --out`,
    );
  for (const [file, text] of files) writeFileOrFail(file, text, '--out');
  terminal.err(`wrote ${[...files.keys()].join(', ')}\n`);
  terminal.out(`${nextSteps(options, commands).join('\n')}\n`);
  return EXIT.ok;
}

async function configText(options: InitOptions, commands: Commands, terminal: Terminal): Promise<string> {
  const { kubeconfig, cluster, region } = options;
  const next = commands.headstart('plan');
  const seen = kubeconfig === undefined ? undefined : await readCluster(kubeconfig, commands);
  const mismatch = seen && clusterMismatch({ name: cluster, region }, seen, []);
  if (mismatch !== undefined) terminal.err(`ANOTHER CLUSTER: ${mismatch}\n`);
  if (seen?.nodePools.length === 0)
    throw new InputError(
      `--kubeconfig ${kubeconfig}: the cluster at ${seen.server} has no NodePools; create one, or start without --kubeconfig`,
    );
  const head: FileHead = {
    command: 'init',
    files: kubeconfig === undefined ? [] : [kubeconfig],
    next,
    clusterName: cluster ?? seen?.name,
    region: region ?? seen?.region,
  };
  const pools = seen ? poolEntries(seen.nodePools) : [starter(zoneOf(terminal))];
  return writeConfig({ pools, notes: seen ? notes(next, zoneOf(terminal)) : [] }, head);
}

/** That of this machine; one that EventBridge Scheduler may not know, such as CET, is left to be edited. */
function zoneOf(terminal: Terminal): string {
  const timezone = terminal.timezone();
  return isTimezone(timezone) ? timezone : 'UTC';
}

function nextSteps({ out, app }: InitOptions, { headstart }: Commands): readonly string[] {
  return [
    `edit ${out}, then run ${headstart('validate')} and ${headstart('plan')}`,
    `learn windows from past demand with ${headstart('suggest', '--prometheus', 'URL', '--write')}`,
    ...(app
      ? [`deploy it with ${command('npm install --save-dev aws-cdk@2')} and ${command('npx cdk deploy --all')}`]
      : []),
  ];
}

/** A CDK app that deploys one config, as files by name. It is JavaScript, so it runs without a build. */
function appFiles(config: string): readonly (readonly [name: string, text: string])[] {
  // Keep the feature flags that Headstart is tested with; the app names its config itself.
  const { config: _, ...flags } = context;
  const app = `// @ts-check
import { App } from 'aws-cdk-lib';
import { addStacks } from 'headstart';

const app = new App();
addStacks(app, { files: [${JSON.stringify(config)}] });
`;
  return [
    ['app.mjs', app],
    ['cdk.json', jsonText({ app: 'node app.mjs', context: flags })],
  ];
}
