import type { Construct } from 'constructs';
import { overlaidFiles } from '../shared/adapters/files/config-files';
import { expandPattern, isPattern } from '../shared/adapters/files/config-glob';
import type { Config } from '../shared/core/config/config';
import { HeadstartStack } from './headstart-stack';
import { KarpenterStack, needsKarpenterStack } from './karpenter-stack';
import { type LoadConfigOptions, loadConfig, UnusableConfigError } from './load-app-config';
import { stackName } from './stack-names';

export interface AddStacksOptions extends LoadConfigOptions {
  /** Config files, one for each cluster, or patterns such as `clusters/*.yaml`; the overlay of `env` is applied to those that have it. */
  readonly files: readonly string[];

  /** Only the clusters of this `cluster.wave`. @default all */
  readonly wave?: number;

  /** One-off windows that are over by this time get no schedules. @default the time of the synth */
  readonly now?: Date;
}

/**
 * Adds the stacks of each cluster, in that cluster's region and account, and returns the headroom stacks.
 *
 * @throws UnusableConfigError if a config cannot be used
 */
export function addStacks(scope: Construct, options: AddStacksOptions): readonly HeadstartStack[] {
  const { now = new Date() } = options;
  return loadAll(options).map((config) => {
    const id = stackId(scope, config);
    const headroom = new HeadstartStack(scope, id, { config, now });
    // Only for the order of `cdk deploy --all`: Karpenter's CRDs and NodePools before the headroom.
    if (needsKarpenterStack(config))
      headroom.node.addDependency(new KarpenterStack(scope, `${id}-karpenter`, { config }));
    return headroom;
  });
}

function loadAll({ files: given, env, wave, ...options }: AddStacksOptions): readonly Config[] {
  const files = given.flatMap((file) => (isPattern(file) ? expandPattern(file).files : [file]));
  const problems: string[] = [];
  const configs: Config[] = [];
  const overlaid = overlaidFiles(files, env);
  for (const file of files) {
    const isOverlaid = env !== undefined && overlaid.includes(file);
    try {
      configs.push(loadConfig(file, { ...options, ...(isOverlaid && { env }) }));
    } catch (error) {
      if (!(error instanceof UnusableConfigError)) throw error;
      problems.push(...error.message.split('\n'));
    }
  }
  if (files.length === 0)
    problems.push(
      given.length === 0
        ? 'no config file: write one, such as -c config=headroom.yaml'
        : `-c config=${given.join(',')} matches no config; check the path`,
    );
  if (problems.length > 0) throw new UnusableConfigError([...new Set(problems)].join('\n'));
  const chosen = configs.filter(({ cluster }) => wave === undefined || cluster.wave === wave);
  if (chosen.length > 0) return chosen;
  throw new UnusableConfigError(`no cluster has cluster.wave: ${wave}; write it in their configs, or another wave`);
}

/** The stack's name; within the app, clusters of the same name in different accounts are distinguished by account. */
function stackId(scope: Construct, { cluster }: Config): string {
  const name = stackName(cluster);
  if (!scope.node.tryFindChild(name)) return name;
  const id = `${name}-${cluster.account ?? 'default'}`;
  if (scope.node.tryFindChild(id))
    throw new UnusableConfigError(`cluster ${cluster.name} in ${cluster.region} is configured twice; write it once`);
  return id;
}
