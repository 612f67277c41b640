import type { Toleration } from '../config/config';
import type { Taint } from './objects';

/** The first taint that keeps a pod off a node, if any. */
export function repellingTaint(tolerations: readonly Toleration[], taints: readonly Taint[]): Taint | undefined {
  return taints.find(
    (taint) => taint.effect !== 'PreferNoSchedule' && !tolerations.some((one) => tolerates(one, taint)),
  );
}

function tolerates({ key, operator = 'Equal', value = '', effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  return operator === 'Exists' || (key !== undefined && value === (taint.value ?? ''));
}
