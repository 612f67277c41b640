import type { KubernetesObject } from '@kubernetes/client-node';
import { FIELD_MANAGER } from '../../../shared/core/basics/names';
import type { MatchExpression } from '../../../shared/core/config/config';
import { texts } from '../../../shared/core/config/schema/quantity';
import { asList, asMap, type Values } from '../../../shared/core/config/yaml/untyped';
import type { Condition } from '../../../shared/core/karpenter/capacity-facts';
import type { Taint } from '../../../shared/core/karpenter/objects';

/** An API object, loosely typed: doctor reads many kinds but only a few fields of each. */
export interface LooseObject extends KubernetesObject {
  readonly spec?: Values;
  readonly status?: Values;
  readonly [field: string]: unknown;
}

export type PriorityClassFacts = ReturnType<typeof priorityClassFacts>;
export type NodePoolFacts = ReturnType<typeof nodePoolFacts>;
export type HeadroomFacts = ReturnType<typeof headroomFacts>;
export type ControllerFacts = ReturnType<typeof controllerFacts>;

export function priorityClassFacts({ metadata, ...fields }: LooseObject) {
  return {
    name: metadata?.name ?? '',
    value: Number(fields.value ?? 0),
    globalDefault: fields.globalDefault === true,
    preemptionPolicy: String(fields.preemptionPolicy ?? 'PreemptLowerPriority'),
  };
}

export function nodePoolFacts({ metadata, spec, status }: LooseObject) {
  const disruption = asMap(spec?.disruption);
  const template = asMap(asMap(spec?.template).spec);
  const { group } = asMap(template.nodeClassRef);
  return {
    // Tells EKS Auto Mode from a self-managed Karpenter.
    ...(typeof group === 'string' && { nodeClassGroup: group }),
    name: metadata?.name ?? '',
    limits: texts(asMap(spec?.limits)),
    used: texts(asMap(status?.resources)),
    requirements: asList(template.requirements) as readonly MatchExpression[],
    taints: asList(template.taints) as readonly Taint[],
    consolidationPolicy: String(disruption.consolidationPolicy ?? 'WhenEmptyOrUnderutilized'),
    consolidateAfter: String(disruption.consolidateAfter ?? '0s'),
    conditions: asList(status?.conditions) as readonly Condition[],
  };
}

export function headroomFacts({ metadata }: LooseObject) {
  // The field managers other than Headstart.
  const owners = (metadata?.managedFields ?? []).flatMap(({ manager = '', fieldsV1 }) => {
    const owned = 'f:replicas' in asMap(asMap(fieldsV1)['f:spec']);
    return owned && manager !== FIELD_MANAGER ? [manager] : [];
  });
  return {
    name: metadata?.name ?? '',
    labels: metadata?.labels ?? {},
    annotations: metadata?.annotations ?? {},
    replicasOwners: [...new Set(owners)],
  };
}

export function controllerFacts({ metadata, spec, status }: LooseObject) {
  const [container] = asList(asMap(asMap(spec?.template).spec).containers).map(asMap);
  const env = asList(container?.env).map(asMap);
  return {
    namespace: metadata?.namespace ?? '',
    name: metadata?.name ?? '',
    image: String(container?.image ?? ''),
    wanted: Number(spec?.replicas ?? 1),
    ready: Number(status?.readyReplicas ?? 0),
    env: Object.fromEntries(env.map(({ name, value }) => [String(name), String(value ?? '')])),
  };
}

export function autoscalerFacts({ metadata, spec }: LooseObject) {
  const { kind, name } = asMap(spec?.scaleTargetRef);
  return { name: metadata?.name ?? '', target: { kind: String(kind ?? ''), name: String(name ?? '') } };
}

export function quotaFacts({ metadata, spec }: LooseObject) {
  return { name: metadata?.name ?? '', hard: texts(asMap(spec?.hard)) };
}
