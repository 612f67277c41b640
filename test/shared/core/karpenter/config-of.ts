import { stringify } from 'yaml';
import type { Config } from '../../../../shared/core/config/config';
import { loadConfig } from '../../../../shared/core/config/read/load';
import { formatProblem } from '../../../../shared/core/config/yaml/problem';

const CLUSTER = { name: 'demo', region: 'ap-northeast-2' };

interface Written {
  readonly cluster?: object;
  readonly nodePools?: object;
  readonly karpenter?: object;
}

function load({ cluster, nodePools = { default: { max: 5 } }, karpenter }: Written) {
  const text = stringify({ cluster: { ...CLUSTER, ...cluster }, nodePools, ...(karpenter && { karpenter }) });
  return loadConfig([{ file: 'headroom.yaml', text }]);
}

/** A checked config of what a person wrote. */
export function configOf(written: Written): Config {
  const loaded = load(written);
  if (!loaded.ok) throw new Error(loaded.problems.map(formatProblem).join('\n'));
  return loaded.config;
}

/** A config whose only NodePool, `default`, has this `pool` block; Karpenter's prerequisites are managed. */
export function poolConfig(pool: object, nodePool: object = {}): Config {
  return configOf({ nodePools: { default: { max: 5, ...nodePool, pool } }, karpenter: { manage: true } });
}

/** The problems of what a person wrote, without their places. */
export function problemsIn(written: Written): string[] {
  const loaded = load(written);
  return loaded.ok ? [] : loaded.problems.map(({ path, message }) => `${path} ${message}`);
}
