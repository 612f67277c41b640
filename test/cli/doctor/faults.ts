import { NOW } from '../run-cli';
import { type CannedCluster, FLOOR_CONFIG, floorNode, HEALTHY_CONFIG, PATHS, podOn } from './healthy-cluster';

// biome-ignore lint/suspicious/noExplicitAny: faults are planted anywhere in an object
export type Loose = any;

export interface Fault {
  readonly name: string;
  readonly plant?: (cluster: CannedCluster, at: (path: string, name?: string) => Loose) => void;
  readonly config?: string;
}

/** Nodes of the NodePool that took so many seconds. */
export function slowNodes(count: number, seconds: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    metadata: {
      name: `default-0000${index}`,
      labels: { 'karpenter.sh/nodepool': 'default' },
      creationTimestamp: new Date(NOW - 3_600_000).toISOString(),
    },
    status: {
      conditions: [
        {
          type: 'Initialized',
          status: 'True',
          lastTransitionTime: new Date(NOW - 3_600_000 + seconds * 1_000).toISOString(),
        },
      ],
    },
  }));
}

/** What can be wrong, and how it comes about. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'functions without rights',
    plant: ({ refused }) => refused.add('patch deployments'),
  },
  {
    name: 'a PriorityClass that is not below normal pods',
    plant: (_, at) => Object.assign(at(PATHS.priorityClasses, 'headstart-headroom'), { value: 5 }),
  },
  {
    name: 'a PriorityClass so low that Karpenter removes its nodes',
    plant: (_, at) => Object.assign(at(PATHS.priorityClasses, 'headstart-headroom'), { value: -1_000_000_000 }),
  },
  {
    name: 'pause pods that preempt',
    plant: (_, at) => delete at(PATHS.priorityClasses, 'headstart-headroom').preemptionPolicy,
  },
  {
    name: 'a default class below the headroom',
    plant: (_, at) => Object.assign(at(PATHS.priorityClasses, 'normal'), { value: -100 }),
  },
  {
    name: 'a NodePool that does not exist',
    plant: ({ lists }) => Object.assign(lists, { [PATHS.nodePools]: [{ metadata: { name: 'web' } }] }),
  },
  {
    name: 'a NodePool that is not ready',
    plant: (_, at) => {
      at(PATHS.nodePools).status.conditions = [
        { type: 'NodeClassReady', status: 'False', message: 'NodeClass not found' },
        { type: 'Ready', status: 'False' },
      ];
    },
  },
  {
    name: 'limits below the peak',
    plant: (_, at) => Object.assign(at(PATHS.nodePools).spec.limits, { cpu: '4' }),
  },
  {
    name: 'a taint that is not tolerated',
    plant: (_, at) => at(PATHS.nodePools).spec.template.spec.taints.push({ key: 'gpu', effect: 'NoSchedule' }),
  },
  {
    name: 'consolidation that fights the headroom',
    plant: (_, at) => Object.assign(at(PATHS.nodePools).spec.disruption, { consolidateAfter: '0s' }),
  },
  {
    name: 'a repository that sets the size back',
    plant: (_, at) =>
      at(PATHS.headrooms).metadata.managedFields.push({
        manager: 'argocd-controller',
        fieldsV1: { 'f:spec': { 'f:replicas': {} } },
      }),
  },
  {
    name: 'a KEDA object on the headroom',
    plant: ({ lists }) =>
      lists[PATHS.hpas]?.push({
        metadata: { name: 'keda-hpa-x' },
        spec: { scaleTargetRef: { kind: 'Deployment', name: 'headroom-default' } },
      }),
  },
  {
    name: 'a namespace under Kueue',
    plant: (_, at) => Object.assign(at(PATHS.namespaces).metadata.labels, { 'kueue.x-k8s.io/managed': 'true' }),
  },
  {
    name: 'pause pods that may use the network, after an upgrade whose manifests nobody applied',
    plant: ({ lists }) => Object.assign(lists, { [PATHS.networkPolicies]: [{ metadata: { name: 'theirs' } }] }),
  },
  {
    name: 'a quota below the peak',
    plant: ({ lists }) =>
      lists[PATHS.quotas]?.push({ metadata: { name: 'small' }, spec: { hard: { 'requests.cpu': '2', pods: '50' } } }),
  },
  {
    name: 'a Karpenter that is too old',
    plant: ({ lists }) => {
      const [controller] = lists[PATHS.deployments] as Loose[];
      controller.spec.template.spec.containers[0].image = 'registry:5000/karpenter/controller:v0.37.0';
    },
  },
  {
    name: 'a Karpenter that does not run',
    plant: (_, at) => Object.assign(at(PATHS.deployments), { status: {} }),
  },
  {
    name: 'pause pods that wait for a place',
    plant: ({ lists }) =>
      lists[PATHS.pods]?.push({
        metadata: { name: 'p', labels: { 'headstart.dev/headroom': 'default' } },
        spec: {},
        status: { conditions: [{ type: 'PodScheduled', status: 'False', message: 'no instance type fits' }] },
      }),
  },
  {
    name: 'a pause image that cannot be pulled',
    plant: ({ lists }) =>
      lists[PATHS.pods]?.push({
        metadata: { name: 'p', labels: { 'headstart.dev/headroom': 'default' } },
        spec: { nodeName: 'n' },
        status: { containerStatuses: [{ state: { waiting: { reason: 'ImagePullBackOff', message: 'not found' } } }] },
      }),
  },
  {
    name: 'an image of a frozen registry',
    config: HEALTHY_CONFIG.replace('max: 10', 'max: 10\n    image: k8s.gcr.io/pause:3.2'),
  },
  {
    name: 'a clock that is wrong',
    plant: (cluster) => {
      cluster.clock = NOW + 120_000;
    },
  },
  {
    name: 'a record that cannot be read',
    plant: (_, at) => Object.assign(at(PATHS.headrooms).metadata.annotations, { 'headstart.dev/record': '{' }),
  },
  {
    name: 'a headroom that was never deployed',
    plant: ({ lists }) => Object.assign(lists, { [PATHS.headrooms]: [] }),
  },
  {
    name: 'a disruption budget on the pause pods',
    plant: ({ lists }) => lists[PATHS.budgets]?.push({ metadata: { name: 'pause' } }),
  },
  {
    name: 'two autoscalers for one headroom',
    config: HEALTHY_CONFIG.replace('max: 10', 'max: 10\n    nodeAffinity: [{key: team, operator: In, values: [a]}]'),
    plant: ({ lists }) =>
      lists[PATHS.deployments]?.push({
        metadata: { name: 'ca', namespace: 'kube-system', labels: { app: 'cluster-autoscaler' } },
        spec: { replicas: 1 },
      }),
  },
  {
    name: 'a LimitRange that gives floor pods requests',
    config: FLOOR_CONFIG,
    plant: ({ lists }) =>
      lists[PATHS.limitRanges]?.push({
        metadata: { name: 'defaults' },
        spec: { limits: [{ type: 'Container', default: { cpu: '200m' }, defaultRequest: { cpu: '100m' } }] },
      }),
  },
  {
    name: 'nodes below the size of the floor',
    config: FLOOR_CONFIG,
    plant: ({ lists }) => {
      const [small, bare] = [floorNode('small'), floorNode('bare')];
      small.metadata.labels['karpenter.k8s.aws/instance-cpu'] = '2';
      small.metadata.labels['karpenter.k8s.aws/instance-memory'] = '8192';
      const { 'karpenter.k8s.aws/instance-memory': _, ...labels } = bare.metadata.labels;
      lists[PATHS.nodes]?.push(small, floorNode('right'), { ...bare, metadata: { name: 'bare', labels } });
    },
  },
  {
    name: 'nodes whose pod slots are full',
    config: FLOOR_CONFIG,
    plant: ({ lists }) => {
      lists[PATHS.nodes]?.push(...['a', 'b', 'c', 'd', 'e'].map(floorNode));
      lists[PATHS.allPods]?.push(
        ...['a', 'b', 'c', 'd'].flatMap((node) => [podOn(node), podOn(node), podOn(node)]),
        podOn('e'),
        podOn('e'),
      );
    },
  },
  {
    name: 'a floor that takes many addresses',
    config: FLOOR_CONFIG,
    plant: ({ lists }) => {
      (lists[PATHS.nodePools] as Loose[])[0].spec.limits = {};
      lists[PATHS.nodes]?.push(...Array.from({ length: 101 }, (_, i) => floorNode(`node-${i}`)));
    },
  },
  {
    name: 'a lead time that is too short for the nodes',
    plant: ({ lists }) => Object.assign(lists, { [PATHS.nodeClaims]: slowNodes(6, 290) }),
  },
  {
    name: 'limits below the nodes that there are and those that a window adds',
    config: FLOOR_CONFIG,
    plant: ({ lists }) => {
      (lists[PATHS.nodePools] as Loose[])[0].spec.limits = { cpu: '100', nodes: '26' };
      lists[PATHS.nodes]?.push(...Array.from({ length: 20 }, (_, i) => floorNode(`node-${i}`)));
    },
  },
];
