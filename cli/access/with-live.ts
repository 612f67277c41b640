import type { Config } from '../../shared/core/config/config';
import { effectiveConfig } from '../../shared/core/live/effective-pool';
import type { PoolStatus } from '../../shared/core/status';
import type { Access } from './access';

/** A config with the live schedules that a running Headstart keeps. */
export async function withLive(config: Config, access: Access): Promise<Config> {
  if (!config.cluster.liveSchedules) return config;
  const response = await access.send({ status: true });
  return withKept(config, 'status' in response ? response.status : []);
}

export function withKept(config: Config, statuses: readonly Pick<PoolStatus, 'nodePool' | 'live'>[]): Config {
  const kept = new Map(statuses.map(({ nodePool, live }) => [nodePool, live]));
  return effectiveConfig(config, (nodePool) => kept.get(nodePool));
}
