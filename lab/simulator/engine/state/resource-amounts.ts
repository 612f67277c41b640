import { parseQuantity } from '../../../../shared/core/config/schema/quantity';
import { canonicalQuantity } from '../../kube/canonical-quantity';
import type { Container, PodSpec, StringMap } from '../../kube/object-types';

/** Resources by name: cpu in millicores, memory in bytes, others in units. Whole numbers, so that sums are exact. */
export type Amounts = ReadonlyMap<string, number>;

/** Reads `{cpu: 500m, memory: 1Gi}`; what cannot be read counts as nothing. */
export function readAmounts(quantities: Readonly<Record<string, string | number>> | undefined): Map<string, number> {
  const amounts = new Map<string, number>();
  for (const [name, quantity] of Object.entries(quantities ?? {})) amounts.set(name, readAmount(name, quantity));
  return amounts;
}

function readAmount(name: string, quantity: string | number): number {
  const value = parseQuantity(`${quantity}`) ?? 0;
  return Math.ceil((name === 'cpu' ? value * 1000 : value) - 1e-6);
}

/** The inverse of `readAmounts`. */
export function writeAmounts(amounts: Amounts): StringMap {
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, writeAmount(name, amount)]));
}

function writeAmount(name: string, amount: number): string {
  if (name === 'cpu') return canonicalQuantity(`${amount}m`);
  return name === 'memory' || name === 'ephemeral-storage'
    ? canonicalQuantity(`${Math.floor(amount / 1024)}Ki`)
    : `${amount}`;
}

/** What a pod requests: the sum of its containers, at least its largest init container, and one pod slot. */
export function podRequests(spec: PodSpec): Amounts {
  const total = new Map<string, number>([['pods', 1]]);
  for (const container of spec.containers) addAmounts(total, requestsOf(container), 1);
  for (const container of spec.initContainers ?? []) {
    for (const [name, amount] of requestsOf(container)) total.set(name, Math.max(total.get(name) ?? 0, amount));
  }
  return total;
}

function requestsOf({ resources }: Container): Amounts {
  return readAmounts({ ...resources?.limits, ...resources?.requests });
}

export function addAmounts(total: Map<string, number>, amounts: Amounts, sign: 1 | -1): void {
  for (const [name, amount] of amounts) total.set(name, (total.get(name) ?? 0) + sign * amount);
}

export function lacking(wanted: Amounts, used: Amounts, allocatable: Amounts): string | undefined {
  for (const [name, amount] of wanted) {
    if (amount > 0 && (used.get(name) ?? 0) + amount > (allocatable.get(name) ?? 0)) return name;
  }
  return undefined;
}
