import type { KubernetesObject, V1Node, V1Pod } from '@kubernetes/client-node';
import { listInPages } from '../../shared/adapters/kube/list-in-pages';
import { HEADROOM_LABEL, KARPENTER_NODEPOOL_LABEL } from '../../shared/core/basics/names';
import type { NodePoolFields, Taint } from '../../shared/core/karpenter/objects';
import type { Commands } from '../input/commands';
import { clusterFailure } from '../kube/cluster-failure';
import { kubeconfigCluster } from '../kube/kubeconfig-cluster';
import { openCluster } from '../kube/open-cluster';
import { type Load, loadOf, moves } from '../kube/pod-load';

const ARCH = 'kubernetes.io/arch';

export interface SeenNodePool {
  readonly name: string;
  readonly taints: readonly Taint[];
  /** Those that its requirements allow; empty if any is allowed. */
  readonly allowedArchitectures: readonly string[];
  readonly runningArchitectures: readonly string[];
  /** The largest requests of its pods, per resource. */
  readonly largest?: { readonly load: Load; readonly names: readonly string[] };
}

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
  return [{ name: `${metadata?.namespace}/${metadata?.name}`, node: spec.nodeName, load: loadOf(pod) }];
}

function withWork(pool: PoolFacts, nodes: readonly SeenNode[], pods: readonly SeenPod[]): SeenNodePool {
  const own = nodes.filter((node) => node.pool === pool.name);
  const names = new Set(own.map(({ name }) => name));
  const work = pods.filter(({ node, load }) => names.has(node) && (load.cpu > 0 || load.memory > 0));
  const runningArchitectures = [...new Set(own.flatMap(({ arch }) => arch ?? []))].sort();
  const [byCpu] = work.toSorted((a, b) => b.load.cpu - a.load.cpu);
  const [byMemory] = work.toSorted((a, b) => b.load.memory - a.load.memory);
  if (!byCpu || !byMemory) return { ...pool, runningArchitectures };
  const largest = {
    load: { cpu: byCpu.load.cpu, memory: byMemory.load.memory },
    names: [...new Set([byCpu.name, byMemory.name])],
  };
  return { ...pool, runningArchitectures, largest };
}
