import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kubeconfigFor } from '../../../lab/simulator/kube/rest/kubeconfig';
import { clusterObjects } from '../../../shared/core/manifests/cluster-object-manifests';
import { json, loopbackServer } from '../../fakes/loopback-server';
import { folderWith, NOW } from '../run-cli';

/** Objects by the path of their list, and what the authorizer refuses. */
export interface CannedCluster {
  readonly lists: Record<string, object[]>;
  readonly refused: Set<string>;
  /** Paths that answer 403. */
  readonly forbidden: Set<string>;
  /** What the API server says to a dry run of a pause pod, if it refuses it. */
  refusal?: { readonly status: number; readonly reason: string; readonly message: string };
  clock: number;
}

export const PATHS = {
  namespaces: '/api/v1/namespaces',
  priorityClasses: '/apis/scheduling.k8s.io/v1/priorityclasses',
  nodePools: '/apis/karpenter.sh/v1/nodepools',
  nodeClaims: '/apis/karpenter.sh/v1/nodeclaims',
  nodes: '/api/v1/nodes',
  deployments: '/apis/apps/v1/deployments',
  headrooms: '/apis/apps/v1/namespaces/headroom/deployments',
  pods: '/api/v1/namespaces/headroom/pods',
  events: '/api/v1/namespaces/headroom/events',
  quotas: '/api/v1/namespaces/headroom/resourcequotas',
  networkPolicies: '/apis/networking.k8s.io/v1/namespaces/headroom/networkpolicies',
  hpas: '/apis/autoscaling/v2/namespaces/headroom/horizontalpodautoscalers',
  limitRanges: '/api/v1/namespaces/headroom/limitranges',
  allPods: '/api/v1/pods',
  budgets: '/apis/policy/v1/namespaces/headroom/poddisruptionbudgets',
} as const;

export const HEALTHY_CONFIG = `
cluster: {name: shop, region: ap-northeast-2}
nodePools:
  default:
    max: 10
    leadTime: 5m
    unit: {node: {cpu: 1, memory: 2Gi}}
    tolerations: [{key: dedicated, operator: Exists}]
    schedules:
      - {name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: 6}
`;

/** The same peak as a floor: six more nodes than there are. */
export const FLOOR_CONFIG = HEALTHY_CONFIG.replace(
  '{node: {cpu: 1, memory: 2Gi}}',
  '{floor: {cpu: 4, memory: 16Gi}}',
).replace('desiredReplicas: 6', 'addNodes: 6');

/** The same peak as room for the pods of a workload. */
export const LIKE_CONFIG = HEALTHY_CONFIG.replace('{node: {cpu: 1, memory: 2Gi}}', '{like: shop/checkout}');

/** The workload, and a pod of it that runs; each with what else its pod template and its pods have. */
export function checkout(template: object = {}, injected: readonly object[] = []): Readonly<Record<string, object[]>> {
  const app = { name: 'app', resources: { requests: { cpu: '250m', memory: '512Mi' } } };
  const labels = { app: 'checkout' };
  const spec = { tolerations: [{ key: 'dedicated', operator: 'Exists' }], containers: [app], ...template };
  const workload = {
    metadata: { name: 'checkout', namespace: 'shop' },
    spec: { replicas: 40, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
  const pod = {
    metadata: { name: 'checkout-1', labels },
    spec: { ...spec, containers: [app, ...injected] },
    status: { phase: 'Running' },
  };
  return { '/apis/apps/v1/namespaces/shop/deployments': [workload], '/api/v1/namespaces/shop/pods': [pod] };
}

/** A node of the NodePool, four vCPU and 16 GiB. */
export function floorNode(name: string) {
  return {
    metadata: {
      name,
      labels: {
        'karpenter.sh/nodepool': 'default',
        'karpenter.k8s.aws/instance-cpu': '4',
        'karpenter.k8s.aws/instance-memory': '16384',
      },
    },
    status: { allocatable: { cpu: '3920m', memory: '15Gi', pods: '3' } },
  };
}

/** A pod of work, or of a floor, on a node. */
export function podOn(nodeName: string, phase = 'Running') {
  return { metadata: { name: `pod-${nodeName}` }, spec: { nodeName }, status: { phase } };
}

/** A cluster on which everything is as it should be. */
export function healthyCluster(): CannedCluster {
  const [namespace, priorityClass, quota, networkPolicy] = clusterObjects('headroom');
  return {
    refused: new Set(),
    forbidden: new Set(),
    clock: NOW,
    lists: {
      [PATHS.namespaces]: [copy(namespace)],
      [PATHS.priorityClasses]: [
        copy(priorityClass),
        { metadata: { name: 'system-node-critical' }, value: 2_000_001_000 },
        { metadata: { name: 'normal' }, value: 0, globalDefault: true },
      ],
      [PATHS.nodePools]: [nodePool()],
      [PATHS.nodeClaims]: [],
      [PATHS.nodes]: [],
      [PATHS.deployments]: [karpenter()],
      [PATHS.headrooms]: [headroom()],
      [PATHS.pods]: [],
      [PATHS.events]: [],
      [PATHS.quotas]: [copy(quota)],
      [PATHS.networkPolicies]: [copy(networkPolicy)],
      [PATHS.hpas]: [],
      [PATHS.budgets]: [],
      [PATHS.limitRanges]: [],
      [PATHS.allPods]: [],
    },
  };
}

function copy(object: unknown): object {
  return structuredClone(object) as object;
}

function nodePool() {
  return {
    metadata: { name: 'default' },
    spec: {
      limits: { cpu: '100', memory: '200Gi' },
      disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '5m' },
      template: { spec: { taints: [{ key: 'dedicated', value: 'web', effect: 'NoSchedule' }] } },
    },
    status: { resources: { cpu: '12' }, conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

function karpenter() {
  const image = 'public.ecr.aws/karpenter/controller:1.14.1@sha256:abc';
  const env = [{ name: 'FEATURE_GATES', value: 'SpotToSpotConsolidation=false,CapacityBuffer=true' }];
  return {
    metadata: { name: 'karpenter', namespace: 'kube-system', labels: { 'app.kubernetes.io/name': 'karpenter' } },
    spec: { replicas: 2, template: { spec: { containers: [{ name: 'controller', image, env }] } } },
    status: { readyReplicas: 2 },
  };
}

function headroom() {
  return {
    metadata: {
      name: 'headroom-default',
      namespace: 'headroom',
      labels: { 'app.kubernetes.io/managed-by': 'headstart', 'headstart.dev/headroom': 'default' },
      annotations: { 'headstart.dev/record': '{"v":1,"alarms":{},"surges":{}}' },
      managedFields: [{ manager: 'headstart', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:replicas': {} } } }],
    },
    spec: { replicas: 0, template: { spec: {} } },
    status: {},
  };
}

/** Serves a canned cluster, whose kubeconfig it writes to `folder`. */
export async function serveCanned(cluster: CannedCluster, folder = folderWith({})) {
  const server = await loopbackServer(({ method, url, body }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    const headers = { date: new Date(cluster.clock).toUTCString() };
    const answer = (status: number, content: unknown) => json(response, status, content, headers);
    const failure = (status: number, reason: string) => answer(status, { reason, message: `${pathname}: ${reason}` });
    if (cluster.forbidden.has(pathname)) return failure(403, 'Forbidden');
    if (pathname === '/version') return answer(200, { major: '1', minor: '35' });
    if (method === 'POST' && pathname === PATHS.pods) {
      if (searchParams.get('dryRun') !== 'All') throw new Error('doctor must not create pods');
      const { refusal } = cluster;
      return refusal ? answer(refusal.status, refusal) : answer(201, JSON.parse(body));
    }
    if (method === 'POST') {
      const { resource, verb } = JSON.parse(body).spec.resourceAttributes;
      return answer(201, { status: { allowed: !cluster.refused.has(`${verb} ${resource}`) } });
    }
    const items = cluster.lists[pathname];
    if (items) return answer(200, { items: items.filter((one) => matches(one, searchParams.get('labelSelector'))) });
    const [parent, name] = [pathname.replace(/\/[^/]+$/, ''), pathname.split('/').at(-1)];
    const found = cluster.lists[parent]?.find((one) => (one as { metadata: { name: string } }).metadata.name === name);
    return found ? answer(200, found) : failure(404, 'NotFound');
  });
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigFor(server.url));
  return { server, kubeconfig };
}

/** As far as doctor's own selectors need it: `key=value` and `key in (a, b)`. */
function matches(object: object, selector: string | null): boolean {
  const labels = (object as { metadata: { labels?: Record<string, string> } }).metadata.labels ?? {};
  const [key = '', rest = ''] = (selector ?? '').split(/=| in /);
  if (selector === null) return true;
  const values = rest.replace(/[()]/g, '').split(/, ?/);
  return values.includes(labels[key] ?? '');
}
