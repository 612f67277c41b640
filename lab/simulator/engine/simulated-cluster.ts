import { VirtualClock } from '../deterministic/virtual-clock';
import { KubeApi } from '../kube/api/kube-api';
import { NAMESPACES, PRIORITY_CLASSES } from '../kube/kinds';
import { ObjectStore } from '../kube/object-store';
import { Karpenter } from './karpenter/karpenter';
import { around, type NodeDelay } from './karpenter/node-delay';
import { offersOf } from './karpenter/offers';
import { SIMULATED_TYPES, type SimulatedType } from './karpenter/simulated-types';
import { Kubelet } from './kubelet';
import { Scheduler } from './scheduling/scheduler';
import { ClusterState } from './state/cluster-state';
import type { EngineContext } from './state/engine-context';
import { EventRecorder } from './state/event-recorder';
import type { Fact, NodeRef, SpotNotice } from './state/facts';
import { Names } from './state/object-names';
import { DEFAULT_TIMINGS, type Timings } from './state/timings';
import { Workloads } from './workloads/workloads';

export interface SimulatedClusterOptions {
  /** The same seed and the same requests give the same run. */
  readonly seed: number;
  /** Milliseconds since the epoch. */
  readonly startTime: number;
  /** @default a small, realistic choice of instance types */
  readonly catalog?: readonly SimulatedType[];
  /** @default ap-northeast-2a, b and c */
  readonly zones?: readonly string[];
  /** @default around 50 s */
  readonly nodeDelay?: NodeDelay;
  readonly timings?: Partial<Timings>;
}

/** An in-memory cluster: an API with objects, and the controllers, scheduler, kubelet and Karpenter that act on them. */
export interface SimulatedCluster {
  readonly api: KubeApi;
  readonly store: ObjectStore;
  now(): number;
  advanceTo(time: number): void;
  on(listener: (fact: Fact) => void): () => void;
  takeSpotNode(node: string): SpotNotice;
  readonly events: EventRecorder;
  /** The nodes that Karpenter has ordered and not removed yet. */
  karpenterNodes(): readonly NodeRef[];
}

/** What the simulation leaves out, to be shown with its results. */
export const NOT_SIMULATED: readonly string[] = [
  'images, networking, volumes and containers: a pod that has a node runs',
  'Karpenter replacing nodes with cheaper ones: it only removes empty nodes and nodes whose pods fit elsewhere',
  'insufficient EC2 capacity, drift, node repair, DaemonSets, PodDisruptionBudgets, karpenter.sh/do-not-disrupt',
  'preferred affinities, pod affinity, anti-affinity other than by host, spread other than by zone and host',
  'quotas, RBAC checks and admission beyond priorities; Jobs, StatefulSets, Services',
];

const ZONES = ['ap-northeast-2a', 'ap-northeast-2b', 'ap-northeast-2c'];
const NAMESPACE_NAMES = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];
const SYSTEM_CLASSES = { 'system-cluster-critical': 2_000_000_000, 'system-node-critical': 2_000_001_000 };

/** Starts an empty cluster; NodePools, Deployments and pods are created through its API. */
export function createSimulatedCluster(options: SimulatedClusterOptions): SimulatedCluster {
  const { seed, startTime, catalog = SIMULATED_TYPES, zones = ZONES, nodeDelay = around(50) } = options;
  const clock = new VirtualClock(startTime);
  const names = new Names(seed);
  const store = new ObjectStore({ now: clock.now, newUid: names.uid, newSuffix: names.suffix });
  const listeners = new Set<(fact: Fact) => void>();
  const context: EngineContext = {
    seed,
    clock,
    store,
    api: new KubeApi(store),
    state: new ClusterState(store),
    events: new EventRecorder(store),
    names,
    timings: { ...DEFAULT_TIMINGS, ...options.timings },
    emit: (fact) => {
      for (const listener of listeners) listener({ ...fact, at: clock.now() } as Fact);
    },
  };
  seedObjects(context.api);
  emitPodFacts(context);
  new Workloads(context);
  new Scheduler(context);
  new Kubelet(context);
  const karpenter = new Karpenter(context, offersOf(catalog, zones), nodeDelay);
  return {
    api: context.api,
    store,
    events: context.events,
    now: clock.now,
    advanceTo: (time) => clock.advanceTo(time),
    on: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    takeSpotNode: (name) => karpenter.takeSpotNode(name),
    karpenterNodes: () => karpenter.nodes(),
  };
}

function seedObjects({ store }: KubeApi): void {
  for (const name of NAMESPACE_NAMES) {
    store.insert(NAMESPACES, {
      metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
  }
  for (const [name, value] of Object.entries(SYSTEM_CLASSES)) {
    store.insert(PRIORITY_CLASSES, { metadata: { name }, value, preemptionPolicy: 'PreemptLowerPriority' });
  }
}

function emitPodFacts({ state, emit }: EngineContext): void {
  state.listen({
    podAdded: ({ ref }) => emit({ kind: 'podCreated', pod: ref }),
    podRemoved: ({ ref, node }) => emit({ kind: 'podGone', pod: ref, ...(node && { node: node.name }) }),
  });
}
