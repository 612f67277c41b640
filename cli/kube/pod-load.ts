import type { V1Container, V1Pod } from '@kubernetes/client-node';
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

export function loadOf(pod: V1Pod): Load {
  const requests = requestsOf(pod);
  return { cpu: requests.get('cpu') ?? 0, memory: requests.get('memory') ?? 0 };
}

/** How much of each resource. */
export type Requests = ReadonlyMap<string, number>;

/**
 * What the scheduler reserves for a pod, by resource: its containers and sidecars together, or what it needs while one of
 * its init containers runs, if that is more; and its overhead.
 */
export function requestsOf({ spec }: V1Pod): Requests {
  const { containers = [], initContainers = [], overhead = {} } = spec ?? {};
  let sidecars: Requests = new Map();
  let starting: Requests = new Map();
  for (const container of initContainers) {
    const needed = plus(sidecars, requestedBy(container));
    starting = combined(starting, needed, Math.max);
    if (container.restartPolicy === 'Always') sidecars = needed;
  }
  const running = containers.map(requestedBy).reduce(plus, sidecars);
  return plus(combined(running, starting, Math.max), amountsOf(overhead));
}

/** A limit without a request is a request. */
function requestedBy({ resources }: V1Container): Requests {
  return amountsOf({ ...resources?.limits, ...resources?.requests });
}

function amountsOf(quantities: Readonly<Record<string, string>>): Requests {
  return new Map(Object.entries(quantities).map(([resource, text]) => [resource, parseQuantity(String(text)) ?? 0]));
}

function plus(a: Requests, b: Requests): Requests {
  return combined(a, b, (x, y) => x + y);
}

function combined(a: Requests, b: Requests, combine: (a: number, b: number) => number): Requests {
  return new Map(
    [...new Set([...a.keys(), ...b.keys()])].map((key) => [key, combine(a.get(key) ?? 0, b.get(key) ?? 0)]),
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
