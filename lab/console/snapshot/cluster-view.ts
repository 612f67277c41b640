import {
  HEADROOM_LABEL,
  KARPENTER_NODEPOOL_LABEL,
  MANAGED_BY,
  MANAGED_BY_LABEL,
} from '../../../shared/core/basics/names';
import type { Config } from '../../../shared/core/config/config';
import { parseQuantity } from '../../../shared/core/config/schema/quantity';
import type { Node, NodeClaim, Pod } from '../../simulator/kube/object-types';
import type { NodeView, PodView } from './snapshot';

/** Limits that keep frames small; pending and new pods come first. */
const MAX_PODS = 600;
const MAX_NODES = 400;
const SYSTEM_NAMESPACES = ['kube-system', 'kube-public', 'kube-node-lease', 'karpenter'];

export interface ClusterContent {
  readonly nodes: readonly Node[];
  readonly nodeClaims: readonly NodeClaim[];
  readonly pods: readonly Pod[];
  readonly now: number;
  readonly config: Config;
  /** How long a pod has waited; by default it follows from the pod's conditions. */
  readonly waitedMs?: (pod: Pod) => number | undefined;
}

export interface ClusterView {
  readonly nodes: readonly NodeView[];
  readonly pods: readonly PodView[];
  readonly hidden: { readonly nodes: number; readonly pods: number };
}

export function clusterView(content: ClusterContent): ClusterView {
  const twins = twinsOf(content.config);
  const nodes = nodeViews(content).map((node) => ({ ...node, pool: twins.get(node.pool) ?? node.pool }));
  const pods = podViews(content).map((pod) => ({ ...pod, pool: twins.get(pod.pool) ?? pod.pool }));
  return {
    nodes: nodes.slice(0, MAX_NODES),
    pods: pods.slice(0, MAX_PODS),
    hidden: { nodes: Math.max(0, nodes.length - MAX_NODES), pods: Math.max(0, pods.length - MAX_PODS) },
  };
}

/** The nodes of a spot twin without headroom of its own are shown with the NodePool that it belongs to. */
function twinsOf({ headrooms }: Config): ReadonlyMap<string, string> {
  const own = new Set(headrooms.map(({ nodePool }) => nodePool));
  return new Map(
    headrooms.flatMap(({ nodePool, twins = [] }) =>
      twins.filter((twin) => !own.has(twin)).map((twin) => [twin, nodePool] as const),
    ),
  );
}

function nodeViews({ nodes, nodeClaims, pods }: ClusterContent): NodeView[] {
  const claims = new Map(
    nodeClaims.flatMap((claim) => (claim.status?.nodeName ? [[claim.status.nodeName, claim]] : [])),
  );
  const requested = requestedCpu(pods);
  const joined = nodes.map((node) => nodeView(node, claims.get(node.metadata.name), requested));
  const names = new Set(nodes.map(({ metadata }) => metadata.name));
  const launching = nodeClaims.filter(({ status }) => !status?.nodeName || !names.has(status.nodeName));
  return [...launching.map(launchingView), ...joined];
}

function nodeView(node: Node, claim: NodeClaim | undefined, requested: ReadonlyMap<string, number>): NodeView {
  const { name, deletionTimestamp } = node.metadata;
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready');
  const terminating = deletionTimestamp !== undefined || claim?.metadata.deletionTimestamp !== undefined;
  const cpu = quantity(node.status?.allocatable?.cpu);
  return {
    ...placeOf(node.metadata.labels),
    name,
    state: terminating ? 'terminating' : ready?.status === 'True' ? 'ready' : 'launching',
    since: timeOf(terminating ? undefined : ready?.lastTransitionTime) ?? timeOf(node.metadata.creationTimestamp) ?? 0,
    load: cpu === 0 ? 0 : Math.min(1, round((requested.get(name) ?? 0) / cpu)),
  };
}

function launchingView({ metadata, status }: NodeClaim): NodeView {
  return {
    ...placeOf(metadata.labels),
    name: status?.nodeName ?? metadata.name,
    state: metadata.deletionTimestamp === undefined ? 'launching' : 'terminating',
    since: timeOf(metadata.creationTimestamp) ?? 0,
    load: 0,
  };
}

function placeOf(labels: Readonly<Record<string, string>> = {}) {
  return {
    pool: labels[KARPENTER_NODEPOOL_LABEL] ?? '',
    instanceType: labels['node.kubernetes.io/instance-type'] ?? '',
    zone: labels['topology.kubernetes.io/zone'] ?? '',
    spot: labels['karpenter.sh/capacity-type'] === 'spot',
  };
}

function requestedCpu(pods: readonly Pod[]): ReadonlyMap<string, number> {
  const requested = new Map<string, number>();
  for (const { spec, status } of pods) {
    if (!spec.nodeName || status.phase === 'Succeeded' || status.phase === 'Failed') continue;
    const cpu = spec.containers.reduce((sum, { resources }) => sum + quantity(resources?.requests?.cpu), 0);
    requested.set(spec.nodeName, (requested.get(spec.nodeName) ?? 0) + cpu);
  }
  return requested;
}

function podViews({ nodes, pods, now, waitedMs }: ClusterContent): PodView[] {
  const poolOfNode = new Map(nodes.map(({ metadata }) => [metadata.name, placeOf(metadata.labels).pool]));
  const shown = pods.filter(isShown).map((pod): PodView => {
    const { name, creationTimestamp, labels = {} } = pod.metadata;
    const { nodeName } = pod.spec;
    return {
      name,
      pool:
        labels[HEADROOM_LABEL] ??
        poolOfNode.get(nodeName ?? '') ??
        pod.spec.nodeSelector?.[KARPENTER_NODEPOOL_LABEL] ??
        '',
      kind: isHeadroom(pod) ? 'headroom' : 'real',
      state: stateOf(pod),
      ...(nodeName !== undefined && { node: nodeName }),
      createdAt: timeOf(creationTimestamp) ?? 0,
      waitedMs: waitedMs?.(pod) ?? waitedByConditions(pod, now),
    };
  });
  const rank = ({ state }: PodView) => (state === 'pending' ? 0 : 1);
  return shown.sort((a, b) => rank(a) - rank(b) || b.createdAt - a.createdAt || (a.name < b.name ? -1 : 1));
}

function isHeadroom({ metadata: { labels = {} } }: Pod): boolean {
  return labels[MANAGED_BY_LABEL] === MANAGED_BY && labels[HEADROOM_LABEL] !== undefined;
}

/** A workload pod: not headroom, not a DaemonSet's, not the cluster's own. */
export function isReal(pod: Pod): boolean {
  const daemon = pod.metadata.ownerReferences?.some(({ kind }) => kind === 'DaemonSet') ?? false;
  return !isHeadroom(pod) && !daemon && !SYSTEM_NAMESPACES.includes(pod.metadata.namespace ?? '');
}

function isShown(pod: Pod): boolean {
  const over = pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed';
  return !over && (isHeadroom(pod) || isReal(pod));
}

function stateOf({ metadata, spec, status }: Pod): PodView['state'] {
  if (metadata.deletionTimestamp !== undefined) return 'terminating';
  if (!spec.nodeName) return 'pending';
  return status.phase === 'Running' ? 'running' : 'starting';
}

function waitedByConditions({ metadata, status }: Pod, now: number): number {
  const created = timeOf(metadata.creationTimestamp) ?? now;
  const scheduled = status.conditions?.find(({ type }) => type === 'PodScheduled');
  const placed = scheduled?.status === 'True' ? timeOf(scheduled.lastTransitionTime) : undefined;
  return Math.max(0, (placed ?? now) - created);
}

function timeOf(text: string | undefined): number | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

function quantity(text: string | undefined): number {
  return text === undefined ? 0 : (parseQuantity(text) ?? 0);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
