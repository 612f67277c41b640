import { attempt, type Failure } from '../basics/failures';
import type { Config } from '../config/config';
import type { PodPlacement } from '../karpenter/can-land';
import type { AlarmReading, LiveHeadroom, NodePoolFacts, Ports } from '../ports/ports';

/** What the cluster and CloudWatch say at the moment. */
export interface Observed {
  /** By name; absent when they could not be read, and then nothing can be decided. */
  readonly headrooms?: ReadonlyMap<string, LiveHeadroom>;
  /** Absent when CloudWatch was not asked or did not answer. */
  readonly readings?: ReadonlyMap<string, AlarmReading>;
  /** The minor version of the Kubernetes API; absent where nothing depends on it or it could not be read. */
  readonly minor?: number;
  /** `undefined` when the NodePools could not be read. */
  nodePoolOf(name: string): NodePoolFacts | 'missing' | undefined;
  /** How many NodeClaims a pod could land on; `undefined` when they could not be read. */
  countNodes(pod: PodPlacement): Promise<number | undefined>;
  readonly failures: readonly Failure[];
}

/** Reads everything once. What cannot be read is noted, and stays as it was. */
export async function observe(config: Config, { cluster, alarms }: Ports): Promise<Observed> {
  const failures: Failure[] = [];
  const names = alarmNames(config);
  const [headrooms, nodePools, readings, minor] = await Promise.all([
    attempt(`reading the headroom of NodePools ${poolNames(config)}`, cluster.listHeadrooms(), failures),
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
  ]);
  const nodePoolByName = nodePools && new Map(nodePools.map((facts) => [facts.name, facts]));
  return {
    failures,
    ...(headrooms && { headrooms: new Map(headrooms.map((headroom) => [headroom.name, headroom])) }),
    ...(readings && { readings }),
    ...(minor !== undefined && { minor }),
    nodePoolOf: (name) => nodePoolByName && (nodePoolByName.get(name) ?? 'missing'),
    countNodes: async (pod) =>
      (await attempt('counting the NodeClaims', cluster.countNodeClaims([pod]), failures))?.[0],
  };
}

async function whereNeeded<T>(needed: boolean, read: () => Promise<T> | undefined): Promise<T | undefined> {
  return needed ? read() : undefined;
}

function poolNames({ nodePools }: Config): string {
  return nodePools.map(({ name }) => name).join(', ');
}

function alarmNames({ nodePools }: Config): readonly string[] {
  return [...new Set(nodePools.flatMap(({ alarms }) => alarms.map(({ alarmName }) => alarmName)))];
}

function warmsImages({ nodePools }: Config): boolean {
  return nodePools.some(({ warmImages }) => warmImages.length > 0);
}
