import { KARPENTER_NODEPOOL_LABEL } from '../../../shared/core/basics/names';
import type { Config } from '../../../shared/core/config/config';
import { CAPACITY_TYPE, typePrice } from '../../../shared/pricing/node-price';
import type { Pod } from '../../simulator/kube/object-types';
import { Meter } from '../../simulator/run/meter';
import { isReal } from '../snapshot/cluster-view';
import type { ClusterContents } from './read-real-cluster';

const INSTANCE_TYPE = 'node.kubernetes.io/instance-type';

/** Measures waiting and cost of a real cluster from one read to the next. */
export class RealClusterObserver {
  readonly meter: Meter;
  private readonly waitedFor = new Set<string>();
  private podsOn = new Map<string, number>();
  private readonly counted = new Set<string>();

  constructor(startedAt: number) {
    this.meter = new Meter(startedAt);
  }

  observe({ nodes, pods }: ClusterContents, config: Config, now: number): void {
    for (const { metadata } of nodes) {
      const { [KARPENTER_NODEPOOL_LABEL]: nodePool, [INSTANCE_TYPE]: type = '' } = metadata.labels ?? {};
      const pool = config.headrooms.find((headroom) => headroom.nodePool === nodePool);
      if (!pool || this.counted.has(metadata.name)) continue;
      this.counted.add(metadata.name);
      const isSpot = metadata.labels?.[CAPACITY_TYPE] === 'spot';
      const price = pool.price ?? typePrice(type, config.cluster.region, isSpot);
      this.meter.nodeStarted(metadata.name, price ?? 0, now, pool.nodePool);
    }
    const names = new Set(nodes.map(({ metadata }) => metadata.name));
    for (const name of this.counted) {
      if (names.has(name)) continue;
      this.counted.delete(name);
      this.meter.nodeGone(name, now);
    }
    this.observePods(pods.filter(isReal), now);
  }

  private observePods(pods: readonly Pod[], now: number): void {
    const podsOn = new Map<string, number>();
    for (const { metadata, spec, status } of pods) {
      if (spec.nodeName) podsOn.set(spec.nodeName, (podsOn.get(spec.nodeName) ?? 0) + 1);
      const created = Date.parse(metadata.creationTimestamp);
      this.meter.podCreated(metadata.uid, created);
      this.waitedFor.add(metadata.uid);
      const scheduled = status.conditions?.find(({ type }) => type === 'PodScheduled');
      if (scheduled?.status === 'True')
        this.meter.podPlaced(metadata.uid, Date.parse(scheduled.lastTransitionTime ?? metadata.creationTimestamp));
    }
    const there = new Set(pods.map(({ metadata }) => metadata.uid));
    for (const uid of this.waitedFor) if (!there.has(uid)) this.forget(uid, now);
    for (const name of new Set([...podsOn.keys(), ...this.podsOn.keys()]))
      this.meter.realPods(name, (podsOn.get(name) ?? 0) - (this.podsOn.get(name) ?? 0), now);
    this.podsOn = podsOn;
  }

  private forget(uid: string, now: number): void {
    this.waitedFor.delete(uid);
    this.meter.podGone(uid, now);
  }
}
