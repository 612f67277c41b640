import { HEADROOM_LABEL, KARPENTER_NODEPOOL_LABEL, MANAGED_BY, MANAGED_BY_LABEL } from '../basics/names';
import type { LikeWorkload, MatchExpression, Toleration } from '../config/config';
import { matchesExpression } from '../karpenter/matches-expression';
import { ZONE_LABEL } from '../manifests/pause-deployment';
import { podRequests } from './pod-requests';
import { isExtended, podsPerPausePod } from './pods-per-pause-pod';
import { quantityText } from './quantities';
import type {
  LabelSelector,
  NodeTerm,
  PodSpec,
  PodTemplate,
  SpreadConstraint,
  Texts,
  WorkloadObject,
} from './workload';

export const HOST_LABEL = 'kubernetes.io/hostname';

/** How pods of the workload must be spread, over zones or nodes. */
export type Spread = Pick<SpreadConstraint, 'minDomains' | 'nodeAffinityPolicy' | 'nodeTaintsPolicy'> & {
  readonly maxSkew: number;
  readonly topologyKey: string;
};

/** Everything about the pods of a workload that kube-scheduler looks at and a pause pod can have; in a fixed order. */
export interface Shape {
  /** How many pods one pause pod makes room for. */
  readonly pods: number;
  /** Of one pod. */
  readonly requests: Texts;
  readonly nodeSelector?: Texts;
  /** Alternatives, each with all of its expressions. */
  readonly terms?: readonly NodeTerm[];
  readonly tolerations?: readonly Toleration[];
  readonly spreads?: readonly Spread[];
  /** No two of the pods may share a node. */
  readonly apart?: true;
}

export type Shaping = { readonly shape: Shape; readonly replicas: number } | { readonly problem: string };

interface Place {
  readonly like: LikeWorkload;
  readonly namespace: string;
  readonly nodePool: string;
}

/** The shape of a workload's pods, or why there is none. */
export function shapeOf({ metadata, spec }: WorkloadObject, { like, namespace, nodePool }: Place): Shaping {
  const { labels = {} } = metadata ?? {};
  if (like.namespace === namespace || labels[MANAGED_BY_LABEL] === MANAGED_BY || HEADROOM_LABEL in labels)
    return { problem: "it is Headstart's own; name a workload of yours" };
  const { template, replicas = 1 } = spec ?? {};
  const { spec: pod } = template ?? {};
  if (!template || !pod) return { problem: 'it has no pod template' };
  if (!selectsNodePool(pod, nodePool)) return { problem: `its pods do not select NodePool ${nodePool}` };
  try {
    const amounts = podRequests(pod);
    const requested = [...amounts].filter(([, amount]) => amount > 0n);
    if (requested.length === 0) return { problem: 'its pods request nothing, so that they need no room; add requests' };
    const isApart = keepsApart(template, like.namespace);
    const pods = podsPerPausePod(new Map(requested), isApart, like.pods);
    const requests = requested.map(([name, amount]) => [name, quantityText(name, amount)] as const);
    return {
      replicas,
      shape: { pods, requests: sortedTexts(Object.fromEntries(requests)), ...placing(template, isApart) },
    };
  } catch (error) {
    return { problem: `its pod template cannot be read: ${error instanceof Error ? error.message : error}` };
  }
}

function placing(template: PodTemplate, isApart: boolean): Omit<Shape, 'pods' | 'requests'> {
  const { nodeSelector = {}, affinity, tolerations = [] } = template.spec ?? {};
  const terms = termsOf(template.spec);
  const tolerated = unique(tolerations.map(toleration));
  const spreads = spreadsOf(template);
  return {
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector: sortedTexts(nodeSelector) }),
    ...(affinity && terms.length > 0 && { terms }),
    ...(tolerated.length > 0 && { tolerations: tolerated }),
    ...(spreads.length > 0 && { spreads }),
    ...(isApart && { apart: true as const }),
  };
}

function termsOf({ affinity }: PodSpec = {}): NodeTerm[] {
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return unique(
    terms.map(({ matchExpressions = [], matchFields = [] }) => ({
      ...(matchExpressions.length > 0 && { matchExpressions: unique(matchExpressions.map(expression)) }),
      ...(matchFields.length > 0 && { matchFields: unique(matchFields.map(expression)) }),
    })),
  );
}

/** With its keys in one order, so that equal ones are equal as text. */
function expression({ key, operator, values }: MatchExpression): MatchExpression {
  return { key, operator, ...(values && values.length > 0 && { values: [...new Set(values)].sort() }) };
}

function toleration({ key, operator, value, effect, tolerationSeconds }: Toleration): Toleration {
  return {
    ...(key && { key }),
    ...(operator && operator !== 'Equal' && { operator }),
    ...(value && { value }),
    ...(effect && { effect }),
    ...(tolerationSeconds !== undefined && { tolerationSeconds }),
  };
}

/** Hard spreads over zones and nodes that count the workload's own pods. */
function spreadsOf({ metadata, spec }: PodTemplate): Spread[] {
  const hard = (spec?.topologySpreadConstraints ?? []).flatMap((constraint): Spread[] => {
    const { maxSkew = 1, topologyKey = '', whenUnsatisfiable, labelSelector, minDomains } = constraint;
    const { nodeAffinityPolicy, nodeTaintsPolicy } = constraint;
    if (whenUnsatisfiable !== 'DoNotSchedule' || ![ZONE_LABEL, HOST_LABEL].includes(topologyKey)) return [];
    if (!selects(labelSelector, metadata?.labels)) return [];
    return [
      {
        maxSkew,
        topologyKey,
        ...(minDomains !== undefined && { minDomains }),
        ...(nodeAffinityPolicy && { nodeAffinityPolicy }),
        ...(nodeTaintsPolicy && { nodeTaintsPolicy }),
      },
    ];
  });
  return unique(hard);
}

function keepsApart({ metadata, spec }: PodTemplate, namespace: string): boolean {
  const terms = spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return terms.some(
    ({ topologyKey, labelSelector, namespaces = [] }) =>
      topologyKey === HOST_LABEL &&
      (namespaces.length === 0 || namespaces.includes(namespace)) &&
      selects(labelSelector, metadata?.labels),
  );
}

/** No selector selects nothing, an empty one everything. */
function selects(selector: LabelSelector | undefined, labels: Texts = {}): boolean {
  if (!selector) return false;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every((one) => matchesExpression(one, labels))
  );
}

/** Whether its pods may land on the nodes of this NodePool, as far as they name NodePools. */
function selectsNodePool(pod: PodSpec, nodePool: string): boolean {
  const label = { [KARPENTER_NODEPOOL_LABEL]: nodePool };
  const named = pod.nodeSelector?.[KARPENTER_NODEPOOL_LABEL];
  const terms = termsOf(pod);
  const admits = ({ matchExpressions = [] }: NodeTerm) =>
    matchExpressions.every((one) => one.key !== KARPENTER_NODEPOOL_LABEL || matchesExpression(one, label));
  return (named === undefined || named === nodePool) && (terms.length === 0 || terms.some(admits));
}

/** Whether the workload spreads its pods over zones. */
export function spreadsZones({ spreads = [] }: Shape): boolean {
  return spreads.some(({ topologyKey }) => topologyKey === ZONE_LABEL);
}

/** The resources that a container must limit to what it requests. */
export function mustBeLimited(resource: string): boolean {
  return isExtended(resource) || resource.startsWith('hugepages-');
}

function sortedTexts(texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Each once, in the order of their text. */
function unique<T>(items: readonly T[]): T[] {
  const byText = new Map(items.map((item) => [JSON.stringify(item), item]));
  return [...byText.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}
