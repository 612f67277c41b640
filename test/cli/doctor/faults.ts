import { NOW } from '../run-cli';
import { type CannedCluster, FLOOR_CONFIG, floorNode, HEALTHY_CONFIG, PATHS, podOn } from './healthy-cluster';

// biome-ignore lint/suspicious/noExplicitAny: faults are planted anywhere in an object
export type Loose = any;

type Plant = (cluster: CannedCluster, at: (path: string, name?: string) => Loose) => unknown;
type Fault = readonly [name: string, plant: Plant, config?: string];

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
  ['functions without rights', ({ refused }) => refused.add('patch deployments')],
  [
    'a PriorityClass that is not below normal pods',
    (_, at) => Object.assign(at(PATHS.priorityClasses, 'headstart-headroom'), { value: 5 }),
  ],
  [
    'a PriorityClass so low that Karpenter removes its nodes',
    (_, at) => Object.assign(at(PATHS.priorityClasses, 'headstart-headroom'), { value: -1_000_000_000 }),
  ],
  ['pause pods that preempt', (_, at) => delete at(PATHS.priorityClasses, 'headstart-headroom').preemptionPolicy],
  [
    'a default class below the headroom',
    (_, at) => Object.assign(at(PATHS.priorityClasses, 'normal'), { value: -100 }),
  ],
  [
    'a NodePool that does not exist',
    ({ lists }) => Object.assign(lists, { [PATHS.nodePools]: [{ metadata: { name: 'web' } }] }),
  ],
  [
    'a NodePool that is not ready',
    (_, at) => {
      at(PATHS.nodePools).status.conditions = [
        { type: 'NodeClassReady', status: 'False', message: 'NodeClass not found' },
        { type: 'Ready', status: 'False' },
      ];
    },
  ],
  ['limits below the peak', (_, at) => Object.assign(at(PATHS.nodePools).spec.limits, { cpu: '4' })],
  [
    'a taint that is not tolerated',
    (_, at) => at(PATHS.nodePools).spec.template.spec.taints.push({ key: 'gpu', effect: 'NoSchedule' }),
  ],
  [
    'consolidation that fights the headroom',
    (_, at) => Object.assign(at(PATHS.nodePools).spec.disruption, { consolidateAfter: '0s' }),
  ],
  [
    'a repository that sets the size back',
    (_, at) =>
      at(PATHS.headrooms).metadata.managedFields.push({
        manager: 'argocd-controller',
        fieldsV1: { 'f:spec': { 'f:replicas': {} } },
      }),
  ],
  [
    'a KEDA object on the headroom',
    ({ lists }) =>
      lists[PATHS.hpas]?.push({
        metadata: { name: 'keda-hpa-x' },
        spec: { scaleTargetRef: { kind: 'Deployment', name: 'headroom-default' } },
      }),
  ],
  [
    'a namespace under Kueue',
    (_, at) => Object.assign(at(PATHS.namespaces).metadata.labels, { 'kueue.x-k8s.io/managed': 'true' }),
  ],
  [
    'pause pods that may use the network, after an upgrade whose manifests nobody applied',
    ({ lists }) => Object.assign(lists, { [PATHS.networkPolicies]: [{ metadata: { name: 'theirs' } }] }),
  ],
  [
    'a quota below the peak',
    ({ lists }) =>
      lists[PATHS.quotas]?.push({ metadata: { name: 'small' }, spec: { hard: { 'requests.cpu': '2', pods: '50' } } }),
  ],
  [
    'a Karpenter that is too old',
    ({ lists }) => {
      const [controller] = lists[PATHS.deployments] as Loose[];
      controller.spec.template.spec.containers[0].image = 'registry:5000/karpenter/controller:v0.37.0';
    },
  ],
  ['a Karpenter that does not run', (_, at) => Object.assign(at(PATHS.deployments), { status: {} })],
  [
    'pause pods that wait for a place',
    ({ lists }) =>
      lists[PATHS.pods]?.push({
        metadata: { name: 'p', labels: { 'headstart.dev/headroom': 'default' } },
        spec: {},
        status: { conditions: [{ type: 'PodScheduled', status: 'False', message: 'no instance type fits' }] },
      }),
  ],
  [
    'a pause image that cannot be pulled',
    ({ lists }) =>
      lists[PATHS.pods]?.push({
        metadata: { name: 'p', labels: { 'headstart.dev/headroom': 'default' } },
        spec: { nodeName: 'n' },
        status: { containerStatuses: [{ state: { waiting: { reason: 'ImagePullBackOff', message: 'not found' } } }] },
      }),
  ],
  [
    'an image of a frozen registry',
    () => {},
    HEALTHY_CONFIG.replace('max: 10', 'max: 10\n    image: k8s.gcr.io/pause:3.2'),
  ],
  [
    'a clock that is wrong',
    (cluster) => {
      cluster.clock = NOW + 120_000;
    },
  ],
  [
    'a record that cannot be read',
    (_, at) => Object.assign(at(PATHS.headrooms).metadata.annotations, { 'headstart.dev/record': '{' }),
  ],
  ['a headroom that was never deployed', ({ lists }) => Object.assign(lists, { [PATHS.headrooms]: [] })],
  ['a disruption budget on the pause pods', ({ lists }) => lists[PATHS.budgets]?.push({ metadata: { name: 'pause' } })],
  [
    'two autoscalers for one headroom',
    ({ lists }) =>
      lists[PATHS.deployments]?.push({
        metadata: { name: 'ca', namespace: 'kube-system', labels: { app: 'cluster-autoscaler' } },
        spec: { replicas: 1 },
      }),
    HEALTHY_CONFIG.replace('max: 10', 'max: 10\n    nodeAffinity: [{key: team, operator: In, values: [a]}]'),
  ],
  [
    'a LimitRange that gives floor pods requests',
    ({ lists }) =>
      lists[PATHS.limitRanges]?.push({
        metadata: { name: 'defaults' },
        spec: { limits: [{ type: 'Container', default: { cpu: '200m' }, defaultRequest: { cpu: '100m' } }] },
      }),
    FLOOR_CONFIG,
  ],
  [
    'nodes below the size of the floor',
    ({ lists }) => {
      const [small, bare] = [floorNode('small'), floorNode('bare')];
      small.metadata.labels['karpenter.k8s.aws/instance-cpu'] = '2';
      small.metadata.labels['karpenter.k8s.aws/instance-memory'] = '8192';
      const { 'karpenter.k8s.aws/instance-memory': _, ...labels } = bare.metadata.labels;
      lists[PATHS.nodes]?.push(small, floorNode('right'), { ...bare, metadata: { name: 'bare', labels } });
    },
    FLOOR_CONFIG,
  ],
  [
    'nodes whose pod slots are full',
    ({ lists }) => {
      lists[PATHS.nodes]?.push(...['a', 'b', 'c', 'd', 'e'].map(floorNode));
      lists[PATHS.allPods]?.push(
        ...['a', 'b', 'c', 'd'].flatMap((node) => [podOn(node), podOn(node), podOn(node)]),
        podOn('e'),
        podOn('e'),
      );
    },
    FLOOR_CONFIG,
  ],
  [
    'a floor that takes many addresses',
    ({ lists }) => {
      (lists[PATHS.nodePools] as Loose[])[0].spec.limits = {};
      lists[PATHS.nodes]?.push(...Array.from({ length: 101 }, (_, i) => floorNode(`node-${i}`)));
    },
    FLOOR_CONFIG,
  ],
  [
    'a lead time that is too short for the nodes',
    ({ lists }) => Object.assign(lists, { [PATHS.nodeClaims]: slowNodes(6, 290) }),
  ],
  [
    'limits below the nodes that there are and those that a window adds',
    ({ lists }) => {
      (lists[PATHS.nodePools] as Loose[])[0].spec.limits = { cpu: '100', nodes: '26' };
      lists[PATHS.nodes]?.push(...Array.from({ length: 20 }, (_, i) => floorNode(`node-${i}`)));
    },
    FLOOR_CONFIG,
  ],
];
