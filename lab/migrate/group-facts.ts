import type { V1Deployment, V1Node, V1Pod } from '@kubernetes/client-node';
import { type Load, loadOf, moves, sum } from '../../cli/kube/pod-load';

/** Labels that name a node group: of EKS itself, and of eksctl for groups that EKS does not manage. */
const GROUP_LABELS = ['eks.amazonaws.com/nodegroup', 'alpha.eksctl.io/nodegroup-name'] as const;

export interface GroupNode {
  readonly name: string;
  /** Absent where the node has no provider id. */
  readonly instanceId?: string;
  /** The requests of its pods that would move; DaemonSets are not counted. */
  readonly load: Load;
  readonly pods: number;
}

export interface NodeGroup {
  readonly name: string;
  readonly label: string;
  /** EKS manages it: its size is changed by an EKS call. */
  readonly managed: boolean;
  /** The fullest first. */
  readonly nodes: readonly GroupNode[];
  /** Every pod that would move, with its requests. */
  readonly pods: readonly { readonly name: string; readonly load: Load }[];
}

export interface KeptWorkload {
  readonly namespace: string;
  readonly name: string;
  /** The groups that its own affinity or selector names. */
  readonly pinnedTo: readonly string[];
}

export type Autoscaler = { readonly namespace: string; readonly name: string; readonly replicas: number };

export interface ClusterSeen {
  readonly groups: readonly NodeGroup[];
  readonly kept: readonly KeptWorkload[];
  readonly clusterAutoscaler?: Autoscaler;
}

export function nodeGroups(nodes: readonly V1Node[], pods: readonly V1Pod[]): readonly NodeGroup[] {
  const byNode = new Map<string, V1Pod[]>();
  for (const pod of pods.filter(moves)) {
    const node = pod.spec?.nodeName ?? '';
    byNode.set(node, [...(byNode.get(node) ?? []), pod]);
  }
  const groups = new Map<string, { label: string; nodes: GroupNode[]; pods: V1Pod[] }>();
  for (const { metadata, spec } of nodes) {
    const label = GROUP_LABELS.find((one) => metadata?.labels?.[one] !== undefined);
    if (!label) continue;
    const name = metadata?.labels?.[label] ?? '';
    const own = byNode.get(metadata?.name ?? '') ?? [];
    const group = groups.get(name) ?? { label, nodes: [], pods: [] };
    const instanceId = /\/(i-[0-9a-f]+)$/.exec(spec?.providerID ?? '')?.[1];
    group.nodes.push({
      name: metadata?.name ?? '',
      ...(instanceId && { instanceId }),
      load: sum(own.map(loadOf)),
      pods: own.length,
    });
    group.pods.push(...own);
    groups.set(name, group);
  }
  return [...groups].map(([name, group]) => ({
    name,
    label: group.label,
    managed: group.label === GROUP_LABELS[0],
    nodes: group.nodes.sort((a, b) => b.load.cpu - a.load.cpu || b.load.memory - a.load.memory),
    pods: group.pods.map((pod) => ({ name: `${pod.metadata?.namespace}/${pod.metadata?.name}`, load: loadOf(pod) })),
  }));
}

/** The groups that a Deployment is bound to. */
export function keptWorkload({ metadata, spec }: V1Deployment): KeptWorkload {
  const pod = spec?.template.spec;
  const terms = pod?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const byAffinity = terms.flatMap(({ matchExpressions = [] }) =>
    matchExpressions.flatMap(({ key, operator, values = [] }) =>
      GROUP_LABELS.some((label) => label === key) && operator === 'In' ? values : [],
    ),
  );
  const bySelector = GROUP_LABELS.flatMap((label) => pod?.nodeSelector?.[label] ?? []);
  return {
    namespace: metadata?.namespace ?? '',
    name: metadata?.name ?? '',
    pinnedTo: [...new Set([...byAffinity, ...bySelector])],
  };
}
