import type { Config, HeadroomConfig } from '../../../shared/core/config/config';
import { unitOfDemand } from '../../learning/unit-of-demand';
import { baseLoad, extraPods } from '../scenarios/demand-curve';
import type { Scenario, Setting } from '../scenarios/scenario';
import { nodeFor } from './sandbox-pools';

/** How to prepare for a peak: with room that is refilled, a number of nodes, or a number of additional nodes. */
export const STRATEGIES = ['room', 'floor', 'moreNodes'] as const;
export type Strategy = (typeof STRATEGIES)[number];

const WEEK_MS = 7 * 86_400_000;

/** The config with another strategy for the same peaks. Slices are kept, because they are not whole nodes. */
export function readyBy(strategy: Strategy, setting: Setting, scenario: Scenario): Config {
  const { config } = setting;
  const headrooms = config.headrooms.map((pool) => {
    if (pool.unit.kind === 'slice') return pool;
    return strategy === 'room' ? asRoom(pool) : asFloor(pool, strategy, setting, scenario);
  });
  return { ...config, headrooms };
}

/** Room is refilled as it is used, so it need not cover demand beyond the plan. */
function asRoom(pool: HeadroomConfig): HeadroomConfig {
  const windows = pool.windows.map((window) => {
    const { relative: _relative, ...rest } = window;
    return { ...rest, replicas: extraPods(pool, window) };
  });
  const base = pool.unit.kind === 'floor' ? Math.max(0, pool.base - baseLoad(pool)) : pool.base;
  const max = Math.max(pool.max, base, ...windows.map(({ replicas }) => replicas));
  const alarms = pool.alarms.map(({ relative: _relative, ...rest }) => rest);
  return { ...pool, base, windows, alarms, max, unit: { kind: 'node', requests: unitOfDemand(pool) } };
}

function asFloor(pool: HeadroomConfig, strategy: 'floor' | 'moreNodes', setting: Setting, scenario: Scenario) {
  const always = baseLoad(pool);
  const share = peakShare(pool, setting, scenario);
  const windows = pool.windows.map((window) => {
    const { relative: _relative, ...rest } = window;
    const nodes = Math.ceil(extraPods(pool, window) * share);
    return strategy === 'floor'
      ? { ...rest, replicas: always + nodes }
      : { ...rest, replicas: nodes, relative: true as const };
  });
  const base = pool.base === 0 || pool.unit.kind === 'floor' ? pool.base : always + pool.base;
  const max = Math.max(pool.max, base, ...windows.map(({ replicas }) => replicas));
  const floor: HeadroomConfig = { ...pool, base, windows, max, unit: { kind: 'floor', requests: {} } };
  const node = nodeFor(pool, setting.config);
  return pool.unit.kind === 'floor' || !node
    ? floor
    : { ...floor, minNode: { cpu: node.cpu, memoryMiB: node.memoryMiB } };
}

/** The peak demand relative to what the windows plan for: a floor must cover all of it. */
function peakShare(pool: HeadroomConfig, setting: Setting, scenario: Scenario): number {
  const { startedAt } = setting;
  const actions = scenario.actions(setting, startedAt, startedAt + WEEK_MS);
  const pods = actions.flatMap((action) =>
    action.kind === 'demand' && action.pool === pool.name ? [action.pods] : [],
  );
  const planned = Math.max(0, ...pool.windows.map((window) => extraPods(pool, window)));
  return planned === 0 ? 1 : Math.max(1, (Math.max(0, ...pods) - baseLoad(pool)) / planned);
}
