import type { V1Pod } from '@kubernetes/client-node';
import { podRequests } from '../../shared/core/like/pod-requests';
import type { PodSpec } from '../../shared/core/like/workload';

/** Amounts are exact there, in billionths. */
const NANO = 1e9;

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

export function loadOf(pod: V1Pod): Load {
  const requests = requestsOf(pod);
  return { cpu: requests.get('cpu') ?? 0, memory: requests.get('memory') ?? 0 };
}

/** How much of each resource. */
export type Requests = ReadonlyMap<string, number>;

/** What the scheduler reserves for a pod, by resource. */
export function requestsOf({ spec }: V1Pod): Requests {
  const requests = podRequests((spec ?? {}) as PodSpec);
  return new Map([...requests].map(([resource, amount]) => [resource, Number(amount) / NANO]));
}

export function sum(loads: readonly Load[]): Load {
  const total = { cpu: 0, memory: 0 };
  for (const { cpu, memory } of loads) {
    total.cpu += cpu;
    total.memory += memory;
  }
  return total;
}
