import type { Config } from '../../shared/core/config/config';
import { type PlanStep, planNodePool } from '../../shared/core/decision/plan';
import { openedAt } from '../../shared/core/windows/is-open';
import { demoName } from '../../simulator/run/demo-workload';
import type { Wait } from './recorder';
import { type CaseOptions, type CaseResult, runCase } from './run-case';
import type { Trace } from './trace';

/** One way to run the same demand. */
export interface SimulatedCase extends CaseResult {
  readonly name: string;
  /** Of these, those of pods that were created while a window of their pool was open. */
  readonly inWindows: readonly Wait[];
}

export interface Simulation {
  readonly clusterName: string;
  readonly trace: Trace;
  readonly seed: number;
  readonly nodeDelaySeconds: number;
  /** This config, none, constant headroom. */
  readonly cases: readonly SimulatedCase[];
  /** How the headroom of this config changes, per pool. */
  readonly plans: Readonly<Record<string, readonly PlanStep[]>>;
  readonly timezone: string;
}

export interface SimulationOptions extends Omit<CaseOptions, 'headroom'> {
  readonly timezone: string;
}

/** Replays the demand with this config, without headroom, and with its peak held all the time. */
export async function simulateCases(config: Config, trace: Trace, options: SimulationOptions): Promise<Simulation> {
  const { seed, nodeDelaySeconds, timezone } = options;
  const plans = Object.fromEntries(
    config.nodePools.map((pool) => [pool.name, planNodePool(pool, trace.from, trace.to)]),
  );
  const peak = (name: string) => Math.max(0, ...(plans[name] ?? []).map(({ replicas }) => replicas));
  const constant: Config = {
    ...config,
    nodePools: config.nodePools.map(({ interruptions: _, ...pool }) => ({
      ...pool,
      base: peak(pool.name),
      windows: [],
      alarms: [],
    })),
  };
  const sizes = config.nodePools.map(({ name }) =>
    config.nodePools.length === 1 ? `${peak(name)}` : `${name} ${peak(name)}`,
  );
  return {
    clusterName: config.cluster.name,
    trace,
    seed,
    nodeDelaySeconds,
    timezone,
    plans,
    cases: [
      named('this config', config, await runCase(config, trace, { seed, nodeDelaySeconds, headroom: true })),
      named('no headroom', config, await runCase(config, trace, { seed, nodeDelaySeconds, headroom: false })),
      named(
        `always ${sizes.join(', ')}`,
        config,
        await runCase(constant, trace, { seed, nodeDelaySeconds, headroom: true }),
      ),
    ],
  };
}

/** Windows are those of this config in every case, so that the same pods are compared. */
function named(name: string, { nodePools }: Config, result: CaseResult): SimulatedCase {
  const windows = new Map(nodePools.map((pool) => [demoName(pool.name), pool.windows]));
  const inWindows = result.waits.filter(({ deployment, createdAt }) =>
    windows.get(deployment)?.some((window) => openedAt(window, createdAt) !== undefined),
  );
  return { name, ...result, inWindows };
}

export interface WaitFigures {
  readonly pods: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly worstMs: number;
  /** The share of pods that waited longer than ten seconds. */
  readonly over10s: number;
}

export function waitFigures(waits: readonly Wait[]): WaitFigures {
  const at = (share: number) => waits[Math.max(0, Math.ceil(waits.length * share) - 1)]?.ms ?? 0;
  const slow = waits.filter(({ ms }) => ms > 10_000).length;
  return {
    pods: waits.length,
    medianMs: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
    worstMs: waits.at(-1)?.ms ?? 0,
    over10s: waits.length === 0 ? 0 : slow / waits.length,
  };
}
