import { existsSync } from 'node:fs';
import type { App } from 'aws-cdk-lib';
import { configPaths, loadConfigFiles } from '../shared/adapters/config-files';
import type { Config } from '../shared/core/config/config';
import { formatProblem } from '../shared/core/config/problem';
import { HeadstartStack, stackName } from './headstart-stack';

/** What to make stacks of. */
export interface AddStacksOptions {
  /** Config files, one for each cluster. */
  readonly files: readonly string[];

  /**
   * Overlays to put on top: `headroom.staging.yaml` on `headroom.yaml`, where it exists.
   *
   * @default none
   */
  readonly env?: string;

  /** One-off windows that are over by this time get no schedules. */
  readonly now: Date;

  /** Hears of what is allowed but probably not meant. */
  readonly warn: (line: string) => void;
}

/** The config cannot be used; the message holds every problem, one a line, as `headstart validate` prints them. */
export class UnusableConfigError extends Error {
  override readonly name = 'UnusableConfigError';
}

/** Adds one stack for each cluster, in that cluster's region and account. */
export function addStacks(app: App, { now, warn, ...which }: AddStacksOptions): readonly HeadstartStack[] {
  const configs = loadAll(which, warn);
  return configs.map((config) => new HeadstartStack(app, stackId(app, config), { config, now }));
}

type Which = Pick<AddStacksOptions, 'files' | 'env'>;

function loadAll({ files, env }: Which, warn: (line: string) => void): readonly Config[] {
  const problems: string[] = [];
  const configs: Config[] = [];
  // An overlay is for some of the clusters, but for none of them it is a slip of the pen.
  const overlaid = files.filter((file) => configPaths(file, env).every((path) => existsSync(path)));
  for (const file of files) {
    const loaded = loadConfigFiles(file, overlaid.length === 0 || overlaid.includes(file) ? env : undefined);
    if (loaded.ok) {
      configs.push(loaded.config);
      for (const warning of loaded.warnings) warn(`warning: ${formatProblem(warning)}`);
    } else problems.push(...loaded.problems.map(formatProblem));
  }
  if (files.length === 0) problems.push('no config file: write one, such as -c config=headroom.yaml');
  if (problems.length > 0) throw new UnusableConfigError([...new Set(problems)].join('\n'));
  return configs;
}

/** The stack's name; the same cluster name in another account is told apart within the app only. */
function stackId(app: App, { cluster }: Config): string {
  const name = stackName(cluster);
  if (!app.node.tryFindChild(name)) return name;
  const id = `${name}-${cluster.account ?? 'default'}`;
  if (app.node.tryFindChild(id))
    throw new UnusableConfigError(`cluster ${cluster.name} in ${cluster.region} is configured twice; write it once`);
  return id;
}
