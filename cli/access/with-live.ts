import type { Config } from '../../shared/core/config/config';
import { effectiveConfig } from '../../shared/core/live/effective-pool';
import { withPeaks } from '../../shared/core/record/announced';
import type { PoolStatus } from '../../shared/core/status';
import { type Access, statuses as statusesOf } from './access';

/** A config with the live schedules and announced peaks that a running Headstart keeps. */
export async function withLive(config: Config, access: Access): Promise<Config> {
  if (!config.cluster.liveSchedules && !config.nodePools.some(({ events }) => events)) return config;
  return withKept(config, await statusesOf(access));
}

export function withKept(
  config: Config,
  statuses: readonly Pick<PoolStatus, 'nodePool' | 'live' | 'intents'>[],
): Config {
  const status = new Map(statuses.map((one) => [one.nodePool, one]));
  const edited = effectiveConfig(config, (nodePool) => status.get(nodePool)?.live);
  return {
    ...edited,
    nodePools: edited.nodePools.map((pool) => withPeaks(pool, status.get(pool.name)?.intents ?? {})),
  };
}
