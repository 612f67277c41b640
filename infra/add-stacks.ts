import { existsSync } from 'node:fs';
import type { Construct } from 'constructs';
import { configPaths } from '../shared/adapters/files/config-files';
import type { Config } from '../shared/core/config/config';
import { HeadstartStack } from './headstart-stack';
import { KarpenterStack, needsKarpenterStack } from './karpenter-stack';
import { loadConfig, UnusableConfigError, writeWarning } from './load-config';
import { stackName } from './stack-name';

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

  /**
   * One-off windows that are over by this time get no schedules.
   *
   * @default the time of the synth
   */
  readonly now?: Date;

  /**
   * Hears of what is allowed but probably not meant.
   *
   * @default written to standard error
   */
  readonly warn?: (line: string) => void;
}

/**
 * Adds the stacks of each cluster, in that cluster's region and account, and returns those of the headroom.
 *
 * @throws UnusableConfigError where a config cannot be used
 */
export function addStacks(scope: Construct, options: AddStacksOptions): readonly HeadstartStack[] {
  const { now = new Date(), warn = writeWarning, ...which } = options;
  return loadAll(which, warn).map((config) => {
    const id = stackId(scope, config);
    const headroom = new HeadstartStack(scope, id, { config, now });
    // Only the order of `cdk deploy --all`: Karpenter's CRDs and NodePools before the headroom on them.
    if (needsKarpenterStack(config))
      headroom.addStackDependency(new KarpenterStack(scope, `${id}-karpenter`, { config }));
    return headroom;
  });
}

type Which = Pick<AddStacksOptions, 'files' | 'env'>;

function loadAll({ files, env }: Which, warn: (line: string) => void): readonly Config[] {
  const problems: string[] = [];
  const configs: Config[] = [];
  // An overlay is for some of the clusters, but for none of them it is a slip of the pen.
  const overlaid = files.filter((file) => configPaths(file, env).every((path) => existsSync(path)));
  for (const file of files) {
    const isMeant = env !== undefined && (overlaid.length === 0 || overlaid.includes(file));
    try {
      configs.push(loadConfig(file, { ...(isMeant && { env }), warn }));
    } catch (error) {
      if (!(error instanceof UnusableConfigError)) throw error;
      problems.push(...error.message.split('\n'));
    }
  }
  if (files.length === 0) problems.push('no config file: write one, such as -c config=headroom.yaml');
  if (problems.length > 0) throw new UnusableConfigError([...new Set(problems)].join('\n'));
  return configs;
}

/** The stack's name; the same cluster name in another account is told apart within the app only. */
function stackId(scope: Construct, { cluster }: Config): string {
  const name = stackName(cluster);
  if (!scope.node.tryFindChild(name)) return name;
  const id = `${name}-${cluster.account ?? 'default'}`;
  if (scope.node.tryFindChild(id))
    throw new UnusableConfigError(`cluster ${cluster.name} in ${cluster.region} is configured twice; write it once`);
  return id;
}
