import type { KubernetesObject, V1Node, V1ObjectMeta, V1Pod } from '@kubernetes/client-node';
import { listInPages } from '../../shared/adapters/kube/list-in-pages';
import { HEADROOM_LABEL, KARPENTER_NODEPOOL_LABEL } from '../../shared/core/basics/names';
import type { NodePoolFields, Taint } from '../../shared/core/karpenter/objects';
import type { Commands } from '../input/commands';
import { clusterFailure } from '../kube/cluster-failure';
import { kubeconfigCluster } from '../kube/kubeconfig-cluster';
import { openCluster } from '../kube/open-cluster';
import { moves, type Requests, requestsOf } from '../kube/pod-load';

const ARCH = 'kubernetes.io/arch';

export interface SeenNodePool {
  readonly name: string;
  readonly taints: readonly Taint[];
  /** Those that its requirements allow; empty if any is allowed. */
  readonly allowedArchitectures: readonly string[];
  /** Those of its current nodes. */
  readonly runningArchitectures: readonly string[];
  /** The largest requests of its pods, per resource. */
  readonly largest?: { readonly requests: Requests; readonly names: readonly string[] };
  /** The workload that nearly all of the work on its nodes is of. */
  readonly workload?: Workload;
}

interface Workload {
  readonly kind: 'Deployment' | 'StatefulSet';
  readonly namespace: string;
  readonly name: string;
}

/** Of the requested CPU; with fewer pods it may be chance. */
const NEARLY_ALL = 0.8;
const ENOUGH_PODS = 3;

type SeenNode = ReturnType<typeof nodeFacts>[number];
type SeenPod = ReturnType<typeof podFacts>[number];

/** Reads NodePools, nodes and pods, page by page, with the caller's own permissions. */
export async function readCluster(path: string, commands: Commands) {
  const { server, transport } = await openCluster(path);
  const { name, region } = await kubeconfigCluster(path);
  try {
    const [pools, nodes, pods] = await Promise.all([
      listInPages(transport, '/apis/karpenter.sh/v1/nodepools', { facts: poolFacts }),
      listInPages(transport, '/api/v1/nodes', { labelSelector: KARPENTER_NODEPOOL_LABEL, facts: nodeFacts }),
      listInPages(transport, '/api/v1/pods', { facts: podFacts }),
    ]);
    const nodePools = pools.map((pool) => withWork(pool, nodes, pods)).sort((a, b) => (a.name < b.name ? -1 : 1));
    return { server, ...(name && { name }), ...(region && { region }), nodePools };
  } catch (error) {
    throw clusterFailure(error, server, commands);
  }
}

type PoolFacts = Pick<SeenNodePool, 'name' | 'taints' | 'allowedArchitectures'>;

function poolFacts({ metadata, spec }: KubernetesObject & Partial<NodePoolFields>): PoolFacts[] {
  if (metadata?.deletionTimestamp) return [];
  const { taints = [], requirements = [] } = spec?.template.spec ?? {};
  const allowed = requirements.filter(({ key, operator }) => key === ARCH && operator === 'In');
  return [{ name: metadata?.name ?? '', taints, allowedArchitectures: allowed.flatMap(({ values = [] }) => values) }];
}

function nodeFacts({ metadata }: V1Node & KubernetesObject) {
  const pool = metadata?.labels?.[KARPENTER_NODEPOOL_LABEL];
  return pool === undefined ? [] : [{ name: metadata?.name ?? '', pool, arch: metadata?.labels?.[ARCH] }];
}

/** Running workload pods: neither DaemonSets nor headroom. */
function podFacts(pod: V1Pod & KubernetesObject) {
  const { metadata, spec, status } = pod;
  if (spec?.nodeName === undefined || status?.phase !== 'Running' || !moves(pod)) return [];
  if (metadata?.labels?.[HEADROOM_LABEL] !== undefined) return [];
  const { namespace = '', name } = metadata ?? {};
  return [
    { name: `${namespace}/${name}`, node: spec.nodeName, requests: requestsOf(pod), workload: workloadOf(metadata) },
  ];
}

/** A ReplicaSet is named after its Deployment and a hash. */
function workloadOf({ namespace = '', ownerReferences = [] }: V1ObjectMeta = {}): Workload | undefined {
  const owner = ownerReferences.find(({ controller }) => controller);
  if (owner?.kind === 'StatefulSet') return { kind: 'StatefulSet', namespace, name: owner.name };
  const [, name] = /^(.+)-[a-z0-9]+$/.exec(owner?.kind === 'ReplicaSet' ? owner.name : '') ?? [];
  return name === undefined ? undefined : { kind: 'Deployment', namespace, name };
}

function withWork(pool: PoolFacts, nodes: readonly SeenNode[], pods: readonly SeenPod[]): SeenNodePool {
  const own = nodes.filter((node) => node.pool === pool.name);
  const names = new Set(own.map(({ name }) => name));
  const runningArchitectures = [...new Set(own.flatMap(({ arch }) => arch ?? []))].sort();
  const work = pods.filter(({ node }) => names.has(node));
  const [largest, workload] = [largestOf(work), mainWorkload(work)];
  return { ...pool, runningArchitectures, ...(largest && { largest }), ...(workload && { workload }) };
}

function mainWorkload(pods: readonly SeenPod[]): Workload | undefined {
  const cpuOf = (some: readonly SeenPod[]) => some.reduce((sum, { requests }) => sum + (requests.get('cpu') ?? 0), 0);
  const least = NEARLY_ALL * cpuOf(pods);
  return pods.find(({ workload: one }) => {
    const own = pods.filter(({ workload }) => JSON.stringify(workload) === JSON.stringify(one));
    return one !== undefined && own.length >= ENOUGH_PODS && least > 0 && cpuOf(own) >= least;
  })?.workload;
}

/** The most that a pod requests of each resource, cpu and memory first, and which pods these are. */
function largestOf(pods: readonly SeenPod[]): SeenNodePool['largest'] {
  const requests = new Map<string, number>();
  const names = new Set<string>();
  for (const resource of new Set(['cpu', 'memory', ...pods.flatMap((pod) => [...pod.requests.keys()].sort())])) {
    const amountOf = (pod: SeenPod) => pod.requests.get(resource) ?? 0;
    const [most] = pods.toSorted((a, b) => amountOf(b) - amountOf(a));
    if (!most || amountOf(most) === 0) continue;
    requests.set(resource, amountOf(most));
    names.add(most.name);
  }
  return requests.size === 0 ? undefined : { requests, names: [...names] };
}
