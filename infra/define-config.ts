import { Stack, Token } from 'aws-cdk-lib';
import type { IVpc } from 'aws-cdk-lib/aws-ec2';
import type { ICluster } from 'aws-cdk-lib/aws-eks';
import type { Construct } from 'constructs';
import type { ClusterConfig, Config } from '../shared/core/config/config';
import { loadConfig } from '../shared/core/config/read/load';
import type { WrittenConfig } from '../shared/core/config/schema/config-schema';
import type { Problem } from '../shared/core/config/yaml/problem';
import { type LoadConfigOptions, UnusableConfigError, writeWarning } from './load-app-config';

/** A config as code: the keys of `headroom.yaml`. Use spread syntax in place of `extends`. */
export type ConfigProps = Omit<WrittenConfig, 'extends'>;

/** The same, for a construct that is given the cluster as another construct. */
export type ClusterlessConfigProps = Omit<ConfigProps, 'cluster'> & {
  readonly cluster?: Partial<ConfigProps['cluster']>;
};

/**
 * Checks a config that is written as code, with the messages of `headstart validate`.
 *
 * @throws UnusableConfigError if it cannot be used
 */
export function defineConfig(
  config: ConfigProps,
  { warn = writeWarning }: Pick<LoadConfigOptions, 'warn'> = {},
): Config {
  const loaded = loadConfig([{ file: 'config', text: JSON.stringify(config) }]);
  if (!loaded.ok) throw new UnusableConfigError(loaded.problems.map(inCode).join('\n'));
  for (const warning of loaded.warnings) warn(`warning: ${inCode(warning)}`);
  return loaded.config;
}

/** Code has no line and column that a file has. */
function inCode({ path, message }: Problem): string {
  return `${path === '' ? 'config' : path} ${message}`;
}

/** What is needed of them, so that clusters of every version of the EKS module fit. */
export type GivenCluster = Pick<ICluster, 'clusterName' | 'node'>;
export type GivenVpc = Pick<IVpc, 'privateSubnets' | 'node'>;

export interface GivenConfig {
  readonly config: Config | ClusterlessConfigProps;
  readonly cluster?: GivenCluster;
  readonly vpc?: GivenVpc;
}

/** The checked config, with what the given constructs say of the cluster. */
export function configOf(scope: Construct, { config, cluster, vpc }: GivenConfig): Config {
  const checked = isChecked(config) ? config : defineConfig({ ...config, cluster: placeOf(scope, config, cluster) });
  if (cluster) checkName(checked.cluster, cluster);
  if (!vpc) return checked;
  const subnetIds = vpc.privateSubnets.map(({ subnetId }) => subnetId);
  if (subnetIds.length === 0)
    throw new UnusableConfigError(
      `${vpc.node.path} has no private subnets, which the functions need to reach AWS; give another vpc, or write cluster.vpc`,
    );
  return {
    ...checked,
    cluster: { ...checked.cluster, vpc: { securityGroupIds: [], ...checked.cluster.vpc, subnetIds } },
  };
}

function isChecked(config: GivenConfig['config']): config is Config {
  return 'headrooms' in config;
}

/** Function names and the functions' own config contain the name and the region, so both must be known at synth. */
function placeOf(scope: Construct, { cluster: written }: ClusterlessConfigProps, cluster: GivenCluster | undefined) {
  const { region, account } = Stack.of(scope);
  const name = written?.name ?? cluster?.clusterName ?? '';
  if (Token.isUnresolved(name))
    throw new UnusableConfigError(
      `the name of ${cluster?.node.path} is known only after a deploy; write it as cluster: { name: ... } in the config, too`,
    );
  if (Token.isUnresolved(written?.region ?? region))
    throw new UnusableConfigError(
      `the region of ${Stack.of(scope).node.path} is known only after a deploy; write env: { region: ... } for the stack, or cluster: { region: ... } in the config`,
    );
  return { region, ...(!Token.isUnresolved(account) && { account }), ...written, name };
}

function checkName({ name }: ClusterConfig, { clusterName, node }: GivenCluster): void {
  if (Token.isUnresolved(clusterName) || clusterName === name) return;
  throw new UnusableConfigError(
    `cluster.name is ${name} in the config, and ${node.path} is cluster ${clusterName}; write one of them`,
  );
}
