import { KARPENTER_NODEPOOL_LABEL } from '../../../../shared/core/basics/names';
import type { MatchExpression, Toleration } from '../../../../shared/core/config/config';
import { matchesExpression } from '../../../../shared/core/karpenter/matches-expression';
import type { LabelSelector, Pod, PodSpec, StringMap, TopologySpreadConstraint } from '../../kube/object-types';
import { compileLabelSelector, type LabelMatch } from '../../kube/selectors';
import { type Amounts, podRequests } from './resource-amounts';

export const HOSTNAME = 'kubernetes.io/hostname';

export interface Spread {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly selects: (shape: PodShape) => boolean;
}

/**
 * Everything about a pod that determines where it may run, computed once and shared by identical pods:
 * if one of them does not fit somewhere, none does.
 */
export interface PodShape {
  readonly namespace: string;
  readonly labels: StringMap;
  readonly priority: number;
  readonly preempts: boolean;
  readonly requests: Amounts;
  /** All expressions of at least one of these lists must match the node. */
  readonly alternatives: readonly (readonly MatchExpression[])[];
  /** The NodePools that it selects by name; `undefined` for any. */
  readonly pools: readonly string[] | undefined;
  readonly tolerations: readonly Toleration[];
  readonly spreads: readonly Spread[];
  /** Whether the two must not share a node. */
  repels(other: PodShape): boolean;
}

/** Computes shapes; pods from the same template share one. */
export class PodShapes {
  private readonly known = new WeakMap<object, Map<string, PodShape>>();

  of(pod: Pod): PodShape {
    const { spec, metadata } = pod;
    const labels = metadata.labels ?? {};
    // Pods of a template share its containers object; everything else that may differ is part of the key.
    const { nodeName, containers, ...rest } = spec;
    const byRest = this.known.get(containers) ?? new Map<string, PodShape>();
    const key = JSON.stringify([metadata.namespace, labels, rest]);
    const shape = byRest.get(key) ?? compileShape(metadata.namespace ?? '', labels, spec);
    byRest.set(key, shape);
    this.known.set(containers, byRest);
    return shape;
  }
}

function compileShape(namespace: string, labels: StringMap, spec: PodSpec): PodShape {
  const terms = antiAffinityTerms(namespace, spec);
  const alternatives = alternativesOf(spec);
  const known = new Map<PodShape, boolean>();
  const avoids = (other: PodShape) => terms.some((matches) => matches(other));
  const shape: PodShape & { readonly avoids: typeof avoids } = {
    namespace,
    labels,
    priority: spec.priority ?? 0,
    preempts: spec.preemptionPolicy !== 'Never',
    requests: podRequests(spec),
    alternatives,
    pools: poolsOf(alternatives),
    tolerations: spec.tolerations ?? [],
    spreads: (spec.topologySpreadConstraints ?? [])
      .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule')
      .map((constraint) => compileSpread(namespace, labels, constraint)),
    avoids,
    repels: (other) => {
      const seen = known.get(other);
      if (seen !== undefined) return seen;
      const repels = avoids(other) || ('avoids' in other && (other as typeof shape).avoids(shape));
      known.set(other, repels);
      return repels;
    },
  };
  return shape;
}

function antiAffinityTerms(namespace: string, { affinity }: PodSpec): ((other: PodShape) => boolean)[] {
  const terms = affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const byHost = terms.filter(({ topologyKey }) => topologyKey === HOSTNAME);
  const selectors = byHost.map(({ labelSelector }) => compileLabelSelector(labelSelector));
  return selectors.map((selects) => (other) => other.namespace === namespace && selects(other.labels));
}

function compileSpread(namespace: string, labels: StringMap, constraint: TopologySpreadConstraint): Spread {
  const { topologyKey, maxSkew, labelSelector, matchLabelKeys = [] } = constraint;
  const selects = withLabelKeys(labelSelector, matchLabelKeys, labels);
  const known = new Map<PodShape, boolean>();
  return {
    topologyKey,
    maxSkew,
    selects: (other) => {
      const seen = known.get(other) ?? (other.namespace === namespace && selects(other.labels));
      known.set(other, seen);
      return seen;
    },
  };
}

function withLabelKeys(selector: LabelSelector | undefined, keys: readonly string[], labels: StringMap): LabelMatch {
  const own = keys.flatMap((key) =>
    labels[key] === undefined ? [] : [{ key, operator: 'In', values: [labels[key]] }],
  );
  return compileLabelSelector(
    selector && { ...selector, matchExpressions: [...(selector.matchExpressions ?? []), ...own] },
  );
}

function alternativesOf({ nodeSelector, affinity }: PodSpec): readonly (readonly MatchExpression[])[] {
  const always = Object.entries(nodeSelector ?? {}).map(([key, value]) => ({ key, operator: 'In', values: [value] }));
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  if (!terms) return [always];
  return terms.map(({ matchExpressions = [] }) => [...always, ...matchExpressions]);
}

function poolsOf(alternatives: PodShape['alternatives']): readonly string[] | undefined {
  const named = alternatives.map((expressions) =>
    expressions.find(({ key, operator }) => key === KARPENTER_NODEPOOL_LABEL && operator === 'In'),
  );
  return named.includes(undefined) ? undefined : [...new Set(named.flatMap((one) => one?.values ?? []))];
}

/** Whether the pod's selector and affinity admit this value of a label. */
export function admitsLabel({ alternatives }: PodShape, key: string, value: string): boolean {
  return alternatives.some((expressions) =>
    expressions.every((one) => one.key !== key || matchesExpression(one, { [key]: value })),
  );
}

/** Whether the pod's selector and affinity match these labels. */
export function selectsLabels(shape: PodShape, labels: StringMap): boolean {
  return shape.alternatives.some((expressions) => expressions.every((one) => matchesExpression(one, labels)));
}
