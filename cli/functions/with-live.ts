import type { Config } from '../../shared/core/config/config';
import { withPeaks } from '../../shared/core/intents/announced';
import { effectiveConfig } from '../../shared/core/live/effective-pool';
import type { HeadroomStatus } from '../../shared/core/status';
import { type Access, statuses as statusesOf } from './access';

/** A config with the live schedules and announced peaks that a running Headstart keeps. */
export async function withLive(config: Config, access: Access): Promise<Config> {
  if (!config.cluster.liveSchedules && !config.headrooms.some(({ events }) => events)) return config;
  return withKept(config, await statusesOf(access));
}

export function withKept(
  config: Config,
  statuses: readonly Pick<HeadroomStatus, 'headroom' | 'live' | 'intents'>[],
): Config {
  const status = new Map(statuses.map((one) => [one.headroom, one]));
  const edited = effectiveConfig(config, (headroom) => status.get(headroom)?.live);
  return {
    ...edited,
    headrooms: edited.headrooms.map((pool) => withPeaks(pool, status.get(pool.name)?.intents ?? {})),
  };
}
