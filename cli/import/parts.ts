import { asList, asMap } from '../../shared/core/config/yaml/untyped';
import type { InputDocument } from './input/documents';
import { type LeftOver, leftWhole } from './input/ledger';

/** Kinds whose pods are in a template; a Rollout may name a Deployment instead. */
const WITH_TEMPLATE = ['Deployment', 'StatefulSet', 'ReplicaSet', 'ReplicationController'];

export interface Sorted {
  readonly whole: readonly InputDocument[];
  readonly parts: readonly (LeftOver & { readonly label: string })[];
}

/** A part of an object, such as a patch, means nothing without the rest: an import would fill in what it does not say. */
export function withoutParts(documents: readonly InputDocument[]): Sorted {
  const whole: InputDocument[] = [];
  const parts: Sorted['parts'][number][] = [];
  for (const document of documents) {
    const why = whyPart(document.value);
    if (why === undefined) whole.push(document);
    else parts.push(leftWhole(document, why));
  }
  return { whole, parts };
}

function whyPart(value: unknown): string | undefined {
  if (value === undefined) return 'is empty, or has only comments';
  const missing = missingIn(value);
  return missing && `has no ${missing}, as a patch of Kustomize has none; import what kubectl kustomize prints`;
}

function missingIn(value: unknown): string | undefined {
  const { kind, spec } = asMap(value);
  const { template, scaleTargetRef } = asMap(spec);
  const pods = asMap(asMap(template).spec);
  if (WITH_TEMPLATE.includes(String(kind))) return asList(pods.containers).length > 0 ? undefined : 'containers';
  if (kind === 'NodePool') return Object.keys(pods).length > 0 ? undefined : 'spec.template.spec';
  if (kind === 'ScaledObject') return Object.keys(asMap(scaleTargetRef)).length > 0 ? undefined : 'spec.scaleTargetRef';
  return undefined;
}
