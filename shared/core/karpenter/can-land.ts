import type { MatchExpression, Toleration } from '../config/config';
import { matchesExpression } from './matches-expression';
import type { Taint } from './objects';
import { repellingTaint } from './repelling-taint';

export interface PodPlacement {
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly expressions: readonly MatchExpression[];
  readonly tolerations: readonly Toleration[];
}

export interface NodeClaimShape {
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly deleting: boolean;
  /** Before its launch a NodeClaim lacks the labels that depend on the instance type. */
  readonly launched: boolean;
}

/** Whether the pod could land on the node of a NodeClaim, including one that is still launching. */
export function canLand({ nodeSelector, expressions, tolerations }: PodPlacement, claim: NodeClaimShape): boolean {
  const { labels, taints, deleting, launched } = claim;
  if (deleting) return false;
  const selected = Object.entries(nodeSelector).map(([key, value]) => ({ key, operator: 'In', values: [value] }));
  const known = [...selected, ...expressions].filter(({ key }) => launched || labels[key] !== undefined);
  return known.every((one) => matchesExpression(one, labels)) && !repellingTaint(tolerations, taints);
}
