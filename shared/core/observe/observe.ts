import { attempt, type Failure } from '../basics/failures';
import { headroomName } from '../basics/names';
import { once } from '../basics/promises';
import type { Config, HeadroomConfig } from '../config/config';
import type { PodPlacement } from '../karpenter/can-land';
import type { WorkloadReadings } from '../like/like-workloads';
import type { LiveText } from '../live/live-text';
import { nodeExpressions } from '../manifests/pause-deployment';
import type { AlarmReading, CurrentHeadroom, NodePoolFacts, NodeStart, Ports, Preemption } from '../ports/ports';
import { type NodeClaimLists, nodeClaimsOnce } from './node-claims';
import { needsOf } from './node-pool-needs';

/** The current state of the cluster and of CloudWatch. */
export interface Observed {
  /** By name; absent if they could not be read, in which case nothing can be decided. */
  readonly current?: ReadonlyMap<string, CurrentHeadroom>;
  /** Absent if CloudWatch was not read or did not answer. */
  readonly readings?: ReadonlyMap<string, AlarmReading>;
  /** The minor version of the Kubernetes API; absent if nothing depends on it or it could not be read. */
  readonly minor?: number;
  /** `undefined` when the NodePools could not be read. */
  nodePoolOf(name: string): NodePoolFacts | 'missing' | undefined;
  /** On how many NodeClaims the floor pods of a NodePool could land; `undefined` if they could not be read. */
  countNodeClaims(pool: HeadroomConfig): Promise<number | undefined>;
  /** Node starts of headrooms that learn their lead time, by name; absent if they were not or could not be read. */
  readonly starts?: ReadonlyMap<string, readonly NodeStart[]>;
  /** The same for any headroom, on demand; `undefined` if they could not be read. */
  startsOf(pool: HeadroomConfig): Promise<readonly NodeStart[] | undefined>;
  /** The ConfigMap with the live schedules; absent if it was not read. */
  readonly liveText?: LiveText;
  /** The pause pods that work took the place of; none if they were not or could not be read. */
  readonly preemptions?: readonly Preemption[];
  /** The workloads that headrooms are shaped like; absent if none was read. */
  readonly workloads?: WorkloadReadings;
  readonly failures: readonly Failure[];
}

interface ObserveOptions {
  /** Whether node starts are read for learned lead times. */
  readonly looksAtStarts?: boolean;
  readonly nodeClaims?: Pick<NodeClaimLists, 'all'>;
  /** Reads what work took, if it may have taken something of these. */
  readonly readPreemptions?: (
    current: ReadonlyMap<string, CurrentHeadroom>,
  ) => ReturnType<NonNullable<Ports['preemptions']>> | undefined;
  /** Reads the ConfigMap with the live schedules. */
  readonly readLive?: () => Promise<LiveText> | undefined;
  /** Reads the workloads that headrooms are shaped like. */
  readonly readWorkloads?: () => Promise<WorkloadReadings> | undefined;
}

/** Reads everything once. What cannot be read becomes a failure and keeps its recorded value. */
export async function observe(
  config: Config,
  { cluster, alarms }: Ports,
  {
    looksAtStarts = false,
    nodeClaims = nodeClaimsOnce(config, cluster),
    readPreemptions,
    readLive,
    readWorkloads,
  }: ObserveOptions = {},
): Promise<Observed> {
  const failures: Failure[] = [];
  const names = alarmNames(config);
  const learning = config.headrooms.filter((pool) => learnsLead(config, pool));
  const look = once(() => attempt('reading the NodeClaims', nodeClaims.all(), failures));
  const listed = attempt(
    `reading the headroom of NodePools ${poolNames(config)}`,
    cluster.listHeadrooms(),
    failures,
  ).then((headrooms) => headrooms && new Map(headrooms.map((headroom) => [headroom.name, headroom])));
  const [current, preemptions, nodePools, readings, minor, learned, liveText, workloads] = await Promise.all([
    listed,
    listed.then((headrooms) => headrooms && readPreemptions?.(headrooms)),
    attempt('reading the NodePools', cluster.listNodePools(), failures),
    attempt(
      'reading alarm states',
      whereNeeded(names.length > 0, () => alarms?.read(names)),
      failures,
    ),
    attempt(
      'reading the Kubernetes version',
      whereNeeded(warmsImages(config), () => cluster.kubernetesMinor()),
      failures,
    ),
    whereNeeded(looksAtStarts && learning.length > 0, look),
    readLive?.(),
    readWorkloads?.(),
  ]);
  const nodePoolByName = nodePools && new Map(nodePools.map((facts) => [facts.name, facts]));
  const seen = {
    failures,
    ...(preemptions && { preemptions }),
    ...(current && { current }),
    ...(readings && { readings }),
    ...(minor !== undefined && { minor }),
    ...(liveText && { liveText }),
    ...(workloads && { workloads }),
    ...(learned && { starts: new Map(learning.map((pool) => [pool.name, learned.startsOf(pool)])) }),
    nodePoolOf: (name: string) => nodePoolByName && (nodePoolByName.get(name) ?? 'missing'),
  };
  return {
    ...seen,
    // On demand only, from one read.
    countNodeClaims: async (pool) => (await look())?.countFor(placementOf(pool, seen)),
    startsOf: async (pool) => (await look())?.startsOf(pool),
  };
}

/** Whether it has, or may get, windows whose lead time is learned. */
function learnsLead({ cluster }: Config, { autoLead, windows, events }: HeadroomConfig): boolean {
  return autoLead !== undefined && (cluster.liveSchedules || events !== undefined || windows.length > 0);
}

function placementOf(pool: HeadroomConfig, seen: Pick<Observed, 'current' | 'nodePoolOf'>): PodPlacement {
  const nodePool = seen.nodePoolOf(pool.nodePool);
  const current = seen.current?.get(headroomName(pool.name));
  const needs = needsOf(pool, nodePool === 'missing' ? undefined : nodePool, current);
  return {
    nodeSelector: pool.nodeSelector,
    expressions: nodeExpressions(pool, needs),
    tolerations: pool.tolerations ?? needs.defaultTolerations,
  };
}

async function whereNeeded<T>(needed: boolean, read: () => Promise<T> | undefined): Promise<T | undefined> {
  return needed ? read() : undefined;
}

function poolNames({ headrooms }: Config): string {
  return headrooms.map(({ name }) => name).join(', ');
}

function alarmNames({ headrooms }: Config): readonly string[] {
  return [...new Set(headrooms.flatMap(({ alarms }) => alarms.map(({ alarmName }) => alarmName)))];
}

function warmsImages({ headrooms }: Config): boolean {
  return headrooms.some(({ warmImages }) => warmImages.length > 0);
}
