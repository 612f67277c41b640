import { NOW } from '../run-cli';
import {
  type CannedCluster,
  checkout,
  FLOOR_CONFIG,
  floorNode,
  HEALTHY_CONFIG,
  LIKE_CONFIG,
  PATHS,
  podOn,
} from './healthy-cluster';

// biome-ignore lint/suspicious/noExplicitAny: faults are planted anywhere in an object
export type Loose = any;

type Plant = (cluster: CannedCluster, at: (path: string, name?: string) => Loose) => unknown;
type Fault = readonly [name: string, plant: Plant, config?: string];

/** Changes the one object of a list, or the one of that name. */
const change =
  (path: string, fields: object, name?: string): Plant =>
  (_, at) =>
    Object.assign(at(path, name), fields);
/** Has these in a list, instead of what is there or beside it. */
const only =
  (path: string, ...objects: object[]): Plant =>
  ({ lists }) =>
    Object.assign(lists, { [path]: objects });
const also =
  (path: string, ...objects: object[]): Plant =>
  ({ lists }) =>
    lists[path]?.push(...objects);
const OURS = 'headstart-headroom';
const pausePod = (spec: object, status: object) =>
  also(PATHS.pods, { metadata: { name: 'p', labels: { 'headstart.dev/headroom': 'default' } }, spec, status });

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
  ['a workload that does not exist', () => {}, LIKE_CONFIG],
  [
    'a workload without requests',
    ({ lists }) => Object.assign(lists, checkout({ containers: [{ name: 'app' }] })),
    LIKE_CONFIG,
  ],
  [
    'a workload that selects what its NodePool does not offer',
    ({ lists }, at) => {
      const amd64 = { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] };
      at(PATHS.nodePools).spec.template.spec.requirements = [amd64];
      Object.assign(lists, checkout({ nodeSelector: { 'kubernetes.io/arch': 'arm64' } }));
    },
    LIKE_CONFIG,
  ],
  [
    'a workload whose pods get a sidecar',
    ({ lists }) =>
      Object.assign(
        lists,
        checkout({}, [{ name: 'istio-proxy', resources: { requests: { cpu: '100m', memory: '128Mi' } } }]),
      ),
    LIKE_CONFIG,
  ],
  [
    'a workload of which a part is left out',
    ({ lists }) =>
      Object.assign(
        lists,
        checkout({
          affinity: { podAffinity: {}, nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
        }),
      ),
    LIKE_CONFIG,
  ],
  ['functions without rights', ({ refused }) => refused.add('patch deployments')],
  ['a PriorityClass that is not below normal pods', change(PATHS.priorityClasses, { value: 5 }, OURS)],
  [
    'a PriorityClass so low that Karpenter removes its nodes',
    change(PATHS.priorityClasses, { value: -1_000_000_000 }, OURS),
  ],
  ['pause pods that preempt', (_, at) => delete at(PATHS.priorityClasses, OURS).preemptionPolicy],
  ['a default class below the headroom', change(PATHS.priorityClasses, { value: -100 }, 'normal')],
  ['a NodePool that does not exist', only(PATHS.nodePools, { metadata: { name: 'web' } })],
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
    also(PATHS.hpas, {
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
    only(PATHS.networkPolicies, { metadata: { name: 'theirs' } }),
  ],
  [
    'a quota below the peak',
    also(PATHS.quotas, { metadata: { name: 'small' }, spec: { hard: { 'requests.cpu': '2', pods: '50' } } }),
  ],
  [
    'a Karpenter that is too old',
    ({ lists }) => {
      const [controller] = lists[PATHS.deployments] as Loose[];
      controller.spec.template.spec.containers[0].image = 'registry:5000/karpenter/controller:v0.37.0';
    },
  ],
  ['a Karpenter that does not run', change(PATHS.deployments, { status: {} })],
  [
    'pause pods that wait for a place',
    pausePod({}, { conditions: [{ type: 'PodScheduled', status: 'False', message: 'no instance type fits' }] }),
  ],
  [
    'a pause image that cannot be pulled',
    pausePod(
      { nodeName: 'n' },
      { containerStatuses: [{ state: { waiting: { reason: 'ImagePullBackOff', message: 'not found' } } }] },
    ),
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
  ['a headroom that was never deployed', only(PATHS.headrooms)],
  ['a disruption budget on the pause pods', also(PATHS.budgets, { metadata: { name: 'pause' } })],
  [
    'a LimitRange that gives floor pods requests',
    also(PATHS.limitRanges, {
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
  ['a lead time that is too short for the nodes', only(PATHS.nodeClaims, ...slowNodes(6, 290))],
  [
    'a limit below what two headrooms of one NodePool may need together',
    ({ lists }) => {
      (lists[PATHS.nodePools] as Loose[])[0].spec.limits = { nodes: '26' };
      lists[PATHS.nodes]?.push(...Array.from({ length: 19 }, (_, i) => floorNode(`node-${i}`)));
      const [floor] = structuredClone(lists[PATHS.headrooms] as Loose[]);
      floor.metadata.name = 'headroom-burst';
      lists[PATHS.headrooms]?.push(floor);
    },
    `${FLOOR_CONFIG}  burst: {nodePool: default, unit: {node: {cpu: 1}}, base: 2, max: 4}\n`,
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
