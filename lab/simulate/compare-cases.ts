import { headroomName } from '../../shared/core/basics/names';
import type { Config } from '../../shared/core/config/config';
import { openedAt } from '../../shared/core/windows/is-open';
import { around } from '../simulator/engine/karpenter/node-delay';
import { DEPLOYMENTS } from '../simulator/kube/kinds';
import { demoPlace } from '../simulator/run/demo-workload';
import type { Meter, NodeCount } from '../simulator/run/meter';
import { Simulation } from '../simulator/run/simulation';
import { percentile, type Wait, waitFigures } from '../simulator/run/wait-figures';
import type { Action, Scenario } from '../simulator/scenarios/scenario';
import type { Demand, Trace } from './trace';

/** Time before the trace in which the initial demand and headroom get their nodes. */
const WARM_UP_MS = 30 * 60_000;
const SLOW_MS = 10_000;
/** How often progress is reported in a run. */
const STEPS = 100;

export interface SimulatedCase {
  readonly name: string;
  /** How long pods waited until they ran, shortest first. */
  readonly waits: readonly Wait[];
  /** The waits of pods that were created while a window of their pool was open. */
  readonly inWindows: readonly Wait[];
  readonly nodeHours: number;
  readonly cost: number;
  readonly nodeCounts: readonly NodeCount[];
}

export interface Comparison {
  readonly clusterName: string;
  readonly trace: Trace;
  readonly seed: number;
  readonly nodeDelaySeconds: number;
  /** This config, no headroom, constant headroom. */
  readonly cases: readonly SimulatedCase[];
}

export interface ComparisonOptions {
  readonly seed: number;
  readonly nodeDelaySeconds: number;
  /** The share of all runs that is done. */
  readonly onProgress?: (share: number) => void;
}

export async function compareCases(config: Config, trace: Trace, options: ComparisonOptions): Promise<Comparison> {
  const { onProgress, ...shown } = options;
  const own = await replay(config, trace, partOf(options, 0, 2));
  const peak = (name: string) => own.peaks.get(name) ?? 0;
  const constant: Config = {
    ...config,
    headrooms: config.headrooms.map(({ interruptions: _, ...pool }) => ({
      ...pool,
      base: peak(pool.name),
      // Nodes that a floor adds to the existing ones may take it above max.
      max: Math.max(pool.max, peak(pool.name)),
      windows: [],
      alarms: [],
    })),
  };
  const sizes = config.headrooms.map(({ name }) =>
    config.headrooms.length === 1 ? `${peak(name)}` : `${name} ${peak(name)}`,
  );
  const always = await replay(constant, trace, partOf(options, 1, 2));
  return {
    clusterName: config.cluster.name,
    trace,
    ...shown,
    cases: [
      caseOf('this config', config, trace, own.simulation.cluster.meter),
      caseOf('no headroom', config, trace, own.simulation.baseline.meter),
      caseOf(`always ${sizes.join(', ')}`, config, trace, always.simulation.cluster.meter),
    ],
  };
}

/** Replays the same demand with each config and finally without headroom; the windows are those of the first config. */
export async function compareConfigs(
  named: readonly { readonly name: string; readonly config: Config }[],
  trace: Trace,
  options: ComparisonOptions,
): Promise<readonly SimulatedCase[]> {
  const cases: SimulatedCase[] = [];
  let none: SimulatedCase | undefined;
  const windowsOf = named[0]?.config;
  for (const [index, { name, config }] of named.entries()) {
    const { cluster, baseline } = (await replay(config, trace, partOf(options, index, named.length))).simulation;
    cases.push(caseOf(name, windowsOf ?? config, trace, cluster.meter));
    none ??= caseOf('no headroom', config, trace, baseline.meter);
  }
  return none ? [...cases, none] : cases;
}

function partOf(options: ComparisonOptions, index: number, runs: number): ComparisonOptions {
  return { ...options, onProgress: (share) => options.onProgress?.((index + share) / runs) };
}

async function replay(config: Config, trace: Trace, options: ComparisonOptions) {
  const simulation = new Simulation({
    config,
    scenario: replayOf(trace),
    seed: options.seed,
    nodeDelay: around(options.nodeDelaySeconds),
    after: trace.from,
    warmUpMs: WARM_UP_MS,
    keepAllDecisions: true,
  });
  await simulation.begin();
  const { store } = simulation.cluster.engine;
  const peaks = new Map(
    config.headrooms.map(({ name }) => {
      const current = store.get(DEPLOYMENTS, config.cluster.namespace, headroomName(name));
      return [name, current?.spec.replicas ?? 0];
    }),
  );
  for (let step = 1; step <= STEPS; step += 1) {
    await simulation.runUntil(trace.from + Math.round(((trace.to - trace.from) * step) / STEPS));
    options.onProgress?.(step / STEPS);
  }
  for (const { pool, to } of simulation.host.decisions.all) peaks.set(pool, Math.max(peaks.get(pool) ?? 0, to));
  return { simulation, peaks };
}

/** Uses this config's windows in every case, so that the same pods are compared. */
function caseOf(name: string, { headrooms }: Config, { to }: Trace, meter: Meter): SimulatedCase {
  const windows = new Map(headrooms.map((pool) => [demoPlace(pool, headrooms).name, pool.windows]));
  const waits = meter.waits('running', to);
  const inWindows = waits.filter(({ deployment, createdAt }) =>
    windows.get(deployment)?.some((window) => openedAt(window, createdAt) !== undefined),
  );
  const { nodeHours, total } = meter.cost(to);
  return { name, waits, inWindows, nodeHours, cost: total, nodeCounts: meter.nodeCounts };
}

/** Of the pods that wait; `over10s` is the share of those that waited longer than ten seconds. */
export function caseFigures(waits: readonly Wait[]) {
  const { worstMs, ...figures } = waitFigures(waits);
  const slow = waits.filter(({ ms }) => ms > SLOW_MS).length;
  return {
    ...figures,
    p99Ms: percentile(waits, 0.99),
    worstMs,
    over10s: waits.length === 0 ? 0 : slow / waits.length,
  };
}

export function caseJson({ name, waits, inWindows, nodeHours, cost }: SimulatedCase) {
  const round = (value: number) => Math.round(value * 10_000) / 10_000;
  return {
    name,
    waiting: caseFigures(waits),
    waitingInWindows: caseFigures(inWindows),
    nodeHours: round(nodeHours),
    cost: round(cost),
  };
}

function replayOf(trace: Trace): Scenario {
  return {
    id: 'trace',
    title: 'Demand trace',
    description: () => 'Pods come and go as the trace says.',
    startsAt: () => trace.from,
    actions: (_, from, to) => [
      ...demandAt(trace, from).map((demand): Action => ({ kind: 'demand', ...demand, at: from })),
      ...trace.demands
        .filter(({ at }) => at > Math.max(from, trace.from) && at < to)
        .map((demand): Action => ({ kind: 'demand', ...demand })),
    ],
  };
}

/** The demand of each pool at a moment; before the trace, its initial demand. */
function demandAt({ demands, from }: Trace, moment: number): readonly Demand[] {
  const latest = demands.filter(({ at }) => at <= Math.max(moment, from));
  return [...new Map(latest.map((demand) => [demand.pool, demand])).values()];
}
