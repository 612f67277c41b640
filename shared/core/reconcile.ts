import { type PoolOutcome, reconcileNodePool, type Step } from './apply/reconcile-node-pool';
import { messageOf } from './basics/errors';
import { inParallel } from './basics/in-parallel';
import { headroomName } from './basics/names';
import type { Config, NodePoolConfig } from './config/config';
import { IMAGE_VOLUMES_SINCE } from './manifests/pause-deployment';
import type {
  AlarmReading,
  AlarmStates,
  Cluster,
  HeadroomFigures,
  LiveHeadroom,
  Log,
  Metrics,
  Pause,
} from './ports/ports';
import type { Intent } from './record/intent';
import { openedAt } from './windows/is-open';

const WRITES_AT_ONCE = 8;
/** How long after its start a window's missing nodes count as late. */
const LATE_FOR = 10 * 60_000;

/** Everything outside the core that a reconcile touches. */
export interface Ports {
  readonly cluster: Cluster;
  /** Absent where CloudWatch is not to be asked: the recorded states stay. */
  readonly alarms?: AlarmStates;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly pause: Pause;
}

export interface Outcome {
  readonly at: number;
  readonly nodePools: readonly PoolOutcome[];
  readonly removed: readonly string[];
}

/** Part of a reconcile failed; the rest took effect. */
export class ReconcileError extends AggregateError {
  override readonly name = 'ReconcileError';

  constructor(
    failures: readonly Error[],
    /** The NodePools whose headroom could not be brought to its size. */
    readonly failedNodePools: readonly string[],
    readonly outcome: Outcome,
  ) {
    super(failures, failures.map(({ message }) => message).join('; '));
  }
}

/**
 * Brings every NodePool's headroom to what the config, the clock and the recorded
 * intents say now. Attempts everything, then throws all that failed; running it
 * twice has the effect of running it once.
 */
export async function reconcile(
  config: Config,
  now: number,
  intents: readonly Intent[],
  ports: Ports,
): Promise<Outcome> {
  const { cluster } = ports;
  const failures: Error[] = [];
  const noted = async <T>(what: string, reading: Promise<T>): Promise<T | undefined> => {
    try {
      return await reading;
    } catch (error) {
      failures.push(new Error(`${what}: ${messageOf(error)}`, { cause: error }));
      return undefined;
    }
  };
  const [headrooms, nodePools, readings, minor] = await Promise.all([
    cluster.listHeadrooms().catch((error) => {
      throw new Error(`reading the headroom of NodePools ${namesOf(config)}: ${messageOf(error)}`, { cause: error });
    }),
    noted('reading the NodePools', cluster.listNodePools()),
    noted('reading alarm states', readAlarms(config, ports.alarms)),
    noted('reading the Kubernetes version', minorWhereNeeded(config, cluster)),
  ]);

  const liveByName = new Map(headrooms.map((headroom) => [headroom.name, headroom]));
  const factsByName = nodePools && new Map(nodePools.map((facts) => [facts.name, facts]));
  const steps = config.nodePools.map((pool): Step => {
    const known = factsByName && (factsByName.get(pool.name) ?? { name: pool.name, taints: [] });
    return {
      pool,
      namespace: config.cluster.namespace,
      now,
      intents: intents.filter(({ nodePool }) => nodePool === pool.name),
      ...(readings && { readings }),
      ...(known && { nodePool: known }),
      ...(minor !== undefined && { imageVolumes: minor >= IMAGE_VOLUMES_SINCE }),
    };
  });
  const settled = await inParallel(steps, WRITES_AT_ONCE, (step) =>
    reconcileNodePool(cluster, step, liveByName.get(headroomName(step.pool.name)), ports.pause),
  );
  const outcomes: PoolOutcome[] = [];
  const failedNodePools: string[] = [];
  for (const [index, result] of settled.entries()) {
    const name = steps[index]?.pool.name ?? '';
    if (result.status === 'fulfilled') outcomes.push(result.value);
    else {
      failedNodePools.push(name);
      failures.push(new Error(`NodePool ${name}: ${messageOf(result.reason)}`, { cause: result.reason }));
    }
  }
  const removed = await removeForgotten(config, headrooms, cluster, failures);

  report(config, now, outcomes, removed, ports);
  if (minor !== undefined && minor < IMAGE_VOLUMES_SINCE) warnColdImages(minor, ports.log);
  const outcome: Outcome = { at: now, nodePools: outcomes, removed };
  if (failures.length > 0) throw new ReconcileError(failures, failedNodePools, outcome);
  return outcome;
}

async function readAlarms(
  config: Config,
  alarms: AlarmStates | undefined,
): Promise<ReadonlyMap<string, AlarmReading> | undefined> {
  const names = [...new Set(config.nodePools.flatMap((pool) => pool.alarms.map(({ alarmName }) => alarmName)))];
  return names.length === 0 ? undefined : alarms?.read(names);
}

async function minorWhereNeeded(config: Config, cluster: Cluster): Promise<number | undefined> {
  return config.nodePools.some(({ warmImages }) => warmImages.length > 0) ? cluster.kubernetesMinor() : undefined;
}

/** Deployments with our label that the config no longer names. */
async function removeForgotten(
  config: Config,
  headrooms: readonly LiveHeadroom[],
  cluster: Cluster,
  failures: Error[],
): Promise<string[]> {
  const kept = new Set(config.nodePools.map(({ name }) => headroomName(name)));
  const forgotten = headrooms.filter(({ name }) => !kept.has(name));
  const settled = await inParallel(forgotten, WRITES_AT_ONCE, (headroom) => cluster.deleteHeadroom(headroom));
  return forgotten.flatMap(({ name }, index) => {
    const result = settled[index];
    if (result?.status !== 'rejected') return [name];
    failures.push(new Error(`removing ${name}: ${messageOf(result.reason)}`, { cause: result.reason }));
    return [];
  });
}

function report(
  config: Config,
  now: number,
  outcomes: readonly PoolOutcome[],
  removed: readonly string[],
  { log, metrics }: Ports,
): void {
  for (const { nodePool, change, from, replicas, reasons, drift, unreadable } of outcomes) {
    if (unreadable !== undefined) log.error('record unreadable', { nodePool, unreadable });
    if (change !== 'none')
      log.info('headroom decided', { nodePool, change, from, to: replicas, reasons, ...(drift && { drift }) });
  }
  for (const name of removed) log.info('headroom removed', { name });
  const pools = new Map(config.nodePools.map((pool) => [pool.name, pool]));
  metrics.headroom(outcomes.map((outcome) => figuresOf(pools.get(outcome.nodePool), now, outcome)));
}

function figuresOf(
  pool: NodePoolConfig | undefined,
  now: number,
  { nodePool, replicas, ready }: PoolOutcome,
): HeadroomFigures {
  const shortfall = Math.max(0, replicas - ready);
  // Only a headroom that falls short can be late, so the windows are not looked at otherwise.
  const windows = shortfall > 0 && pool ? pool.windows : [];
  const justOpened = windows.some((window) => {
    const opened = openedAt(window, now);
    return opened !== undefined && now - opened < LATE_FOR;
  });
  return { nodePool, desired: replicas, ready, shortfall, late: justOpened ? shortfall : 0 };
}

function warnColdImages(minor: number, log: Log): void {
  log.warn('warmImages left out: image volumes need a newer Kubernetes', {
    kubernetes: `1.${minor}`,
    needs: `1.${IMAGE_VOLUMES_SINCE}`,
  });
}

function namesOf({ nodePools }: Config): string {
  return nodePools.map(({ name }) => name).join(', ');
}
