import type { V1Pod } from '@kubernetes/client-node';
import { parseQuantity } from '../../shared/core/config/schema/quantity';

export interface Load {
  readonly cpu: number;
  readonly memory: number;
}

/** DaemonSet pods come with every node, static ones stay, finished ones are over. */
export function moves({ metadata, status }: V1Pod): boolean {
  if (metadata?.ownerReferences?.some(({ kind }) => kind === 'DaemonSet' || kind === 'Node')) return false;
  if (metadata?.annotations?.['kubernetes.io/config.mirror'] !== undefined) return false;
  return status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}

export function loadOf({ spec }: V1Pod): Load {
  return sum(
    (spec?.containers ?? []).map(({ resources }) => ({
      cpu: parseQuantity(resources?.requests?.cpu ?? '0') ?? 0,
      memory: parseQuantity(resources?.requests?.memory ?? '0') ?? 0,
    })),
  );
}

export function sum(loads: readonly Load[]): Load {
  const total = { cpu: 0, memory: 0 };
  for (const { cpu, memory } of loads) {
    total.cpu += cpu;
    total.memory += memory;
  }
  return total;
}
