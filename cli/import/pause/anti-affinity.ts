import { asList, asMap, type Values } from '../../../shared/core/config/yaml/untyped';
import type { Ledger, Path } from '../input/ledger';
import { selectsItself } from './pod-selector';

/** Whether pods keep away from each other, one to a node: a must, or a wish. */
export type Apart = false | 'required' | 'preferred';

const HOSTNAME = 'kubernetes.io/hostname';
const RULES = {
  required: 'requiredDuringSchedulingIgnoredDuringExecution',
  preferred: 'preferredDuringSchedulingIgnoredDuringExecution',
};

export function takeAntiAffinity(ledger: Ledger, path: Path, labels: Values | undefined): Apart {
  ledger.leave([...path, 'podAffinity'], 'headroom does not follow other pods');
  const required = takeRules(ledger, [...path, 'podAntiAffinity', RULES.required], labels);
  const preferred = takeRules(ledger, [...path, 'podAntiAffinity', RULES.preferred], labels);
  if (required) return 'required';
  return preferred && 'preferred';
}

function takeRules(ledger: Ledger, path: Path, labels: Values | undefined): boolean {
  let apart = false;
  for (const [index, raw] of asList(ledger.peek(...path)).entries()) {
    const rule: Path = [...path, index];
    const nested = 'podAffinityTerm' in asMap(raw);
    const term: Path = nested ? [...rule, 'podAffinityTerm'] : rule;
    const { topologyKey, labelSelector } = asMap(ledger.peek(...term));
    if (topologyKey !== HOSTNAME)
      ledger.leave(rule, 'headroom keeps apart by node only; zones: spread spreads it over zones');
    else if (!selectsItself(labelSelector, labels))
      ledger.leave(rule, 'keeps away from other pods than its own; headroom keeps its own pods apart only');
    else {
      ledger.take(...term, 'topologyKey');
      ledger.leave([...term, 'labelSelector'], 'headroom keeps its own pods apart');
      ledger.leave([...rule, 'weight'], 'the preference becomes a requirement: one pause pod per node');
      apart = true;
    }
  }
  return apart;
}
