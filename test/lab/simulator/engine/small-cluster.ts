import {
  createSimulatedCluster,
  type SimulatedCluster,
  type SimulatedClusterOptions,
} from '../../../../lab/simulator/engine/simulated-cluster';
import type { Fact } from '../../../../lab/simulator/engine/state/facts';
import {
  DEPLOYMENTS,
  NAMESPACES,
  NODE_POOLS,
  NODES,
  PODS,
  PRIORITY_CLASSES,
} from '../../../../lab/simulator/kube/kinds';
import type { Deployment, NodePool, Pod, PodSpec } from '../../../../lab/simulator/kube/object-types';
import type { MatchExpression } from '../../../../shared/core/config/config';
import type { Taint } from '../../../../shared/core/karpenter/objects';

export const START = Date.parse('2026-03-02T07:00:00Z');
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

type FactOf<K extends Fact['kind']> = Extract<Fact, { readonly kind: K }>;

/** A simulated cluster with what the tests say over and over. */
export interface SmallCluster extends SimulatedCluster {
  readonly facts: Fact[];
  of<K extends Fact['kind']>(kind: K): FactOf<K>[];
  run(milliseconds: number): void;
  pool(name: string, more?: PoolOptions): NodePool;
  node(name: string, more?: NodeOptions): void;
  pods(name?: string): Pod[];
  deploy(name: string, replicas: number, spec?: Partial<PodSpec>, more?: DeployOptions): Deployment;
  scale(name: string, replicas: number): void;
  headroom(name: string, replicas: number, cpu?: string): Deployment;
}

export interface PoolOptions {
  readonly requirements?: readonly MatchExpression[];
  readonly taints?: readonly Taint[];
  readonly limits?: Readonly<Record<string, string>>;
  readonly weight?: number;
  readonly disruption?: object;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface NodeOptions {
  readonly cpu?: string;
  readonly memory?: string;
  readonly pods?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly Taint[];
  readonly extended?: Readonly<Record<string, string>>;
  readonly ready?: boolean;
}

export interface DeployOptions {
  readonly strategy?: object;
  readonly labels?: Readonly<Record<string, string>>;
}

export const ON_DEMAND: MatchExpression = { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] };
export const SPOT: MatchExpression = { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] };
export const LARGE: MatchExpression = {
  key: 'node.kubernetes.io/instance-type',
  operator: 'In',
  values: ['m6i.large'],
};
export const family = (...values: string[]): MatchExpression => ({
  key: 'karpenter.k8s.aws/instance-family',
  operator: 'In',
  values,
});
export const M6I: readonly MatchExpression[] = [ON_DEMAND, family('m6i')];
/** Nodes of two cores, of which a pod of 1500m leaves no room for another. */
export const TWO_CORES: readonly MatchExpression[] = [ON_DEMAND, LARGE];

export function container(cpu = '1', memory = '512Mi', more: Readonly<Record<string, string>> = {}) {
  return { name: 'main', image: 'registry.k8s.io/pause:3.10', resources: { requests: { cpu, memory, ...more } } };
}

/** A pod that requires nodes with this label. */
export function requiring(key: string, operator: string, values: readonly string[]): Partial<PodSpec> {
  const nodeSelectorTerms = [{ matchExpressions: [{ key, operator, values }] }];
  return { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } };
}

/** A pod that keeps away from pods of this app. */
export function apartFrom(app: string): Partial<PodSpec> {
  const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app } } };
  return { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
}

/** Pods of this app spread over zones. */
export function overZones(app: string): Partial<PodSpec> {
  const topologyKey = 'topology.kubernetes.io/zone';
  const labelSelector = { matchLabels: { app } };
  return {
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey, whenUnsatisfiable: 'DoNotSchedule', labelSelector }],
  };
}

/** Pause pods, one per node, that everyone may displace. */
export function headroomSpec(name: string, cpu: string, nodePool = 'default'): Partial<PodSpec> {
  return {
    priorityClassName: 'headroom',
    terminationGracePeriodSeconds: 0,
    nodeSelector: { 'karpenter.sh/nodepool': nodePool },
    ...apartFrom(name),
    containers: [container(cpu, '1Gi')],
  };
}

export function smallCluster(options: Partial<SimulatedClusterOptions> = {}): SmallCluster {
  const cluster = createSimulatedCluster({
    seed: 1,
    startTime: START,
    nodeDelay: { medianSeconds: 50, spread: 0 },
    ...options,
  });
  const { api } = cluster;
  const facts: Fact[] = [];
  cluster.on((fact) => facts.push(fact));
  api.create(NAMESPACES, undefined, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  api.create(PRIORITY_CLASSES, undefined, {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'headroom' },
    value: -10,
    preemptionPolicy: 'Never',
  });
  const deploy: SmallCluster['deploy'] = (name, replicas, spec = {}, more = {}) => {
    const labels = { app: name, ...more.labels };
    return api.apply(
      DEPLOYMENTS,
      { namespace: 'shop', name },
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name },
        spec: {
          replicas,
          selector: { matchLabels: { app: name } },
          ...(more.strategy && { strategy: more.strategy }),
          template: {
            metadata: { labels },
            spec: { terminationGracePeriodSeconds: 0, containers: [container()], ...spec },
          },
        },
      },
      { fieldManager: 'test', force: true },
    );
  };
  return {
    ...cluster,
    facts,
    of: <K extends Fact['kind']>(kind: K) => facts.filter((fact): fact is FactOf<K> => fact.kind === kind),
    run: (milliseconds) => cluster.advanceTo(cluster.now() + milliseconds),
    pool: (name, more = {}) => api.create(NODE_POOLS, undefined, nodePool(name, more)),
    node: (name, more = {}) => {
      api.create(NODES, undefined, staticNode(name, more));
    },
    pods: (name) => cluster.store.list(PODS).filter(({ metadata }) => !name || metadata.labels?.app === name),
    deploy,
    scale: (name, replicas) => {
      const old = api.get(DEPLOYMENTS, 'shop', name);
      api.patch(DEPLOYMENTS, old, { kind: 'merge', body: { spec: { replicas } } }, { fieldManager: 'test' });
    },
    headroom: (name, replicas, cpu = '1500m') =>
      deploy(name, replicas, headroomSpec(name, cpu), {
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: '100%' } },
      }),
  };
}

function nodePool(name: string, { requirements = TWO_CORES, taints, limits, weight, disruption, labels }: PoolOptions) {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name },
    spec: {
      template: {
        ...(labels && { metadata: { labels } }),
        spec: {
          requirements,
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
          expireAfter: 'Never',
          ...(taints && { taints }),
        },
      },
      disruption: {
        consolidationPolicy: 'WhenEmpty',
        consolidateAfter: '30s',
        budgets: [{ nodes: '100%' }],
        ...disruption,
      },
      ...(limits && { limits }),
      ...(weight !== undefined && { weight }),
    },
  };
}

function staticNode(name: string, options: NodeOptions) {
  const { cpu = '4', memory = '16Gi', pods = '58', labels, taints, extended, ready = true } = options;
  const capacity = { cpu, memory, pods, ...extended };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
    spec: { ...(taints && { taints }) },
    status: { capacity, allocatable: capacity, conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  };
}

/** The nodes on which the pods of a Deployment run, by name. */
export function nodesOf(cluster: SmallCluster, name: string): string[] {
  return cluster
    .pods(name)
    .map(({ spec }) => spec.nodeName ?? 'none')
    .sort();
}

/** The instance types that Karpenter has ordered, by name. */
export function boughtTypes(cluster: SmallCluster): string[] {
  return cluster
    .of('nodeOrdered')
    .map(({ node }) => node.instanceType)
    .sort();
}
