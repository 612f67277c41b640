import { type Amounts, highest, nanos, plus } from './quantities';
import type { Container, PodSpec, Resources } from './workload';

const NOTHING: Amounts = new Map();

/**
 * What kube-scheduler reserves for a pod of this template, as Kubernetes adds it up: the containers with the sidecars,
 * or what the init containers need at most, if that is more; instead of that the requests of the pod as a whole, where
 * it has some; and the overhead. A limit without a request is a request, as the API server fills it in for pods.
 */
export function podRequests({ containers = [], initContainers = [], resources, overhead = {} }: PodSpec): Amounts {
  let running = containers.map(requestsOf).reduce(plus, NOTHING);
  let sidecars = NOTHING;
  let starting = NOTHING;
  for (const container of initContainers) {
    const requests = requestsOf(container);
    if (container.restartPolicy === 'Always') {
      running = plus(running, requests);
      sidecars = plus(sidecars, requests);
      starting = highest(starting, sidecars);
    } else starting = highest(starting, plus(requests, sidecars));
  }
  const ofContainers = highest(running, starting);
  return plus(new Map([...ofContainers, ...ofPod(resources, ofContainers)]), amountsOf(overhead));
}

function requestsOf({ resources: { requests = {}, limits = {} } = {} }: Container): Amounts {
  return amountsOf({ ...limits, ...requests });
}

/** A limit of the pod counts as its request only where no container requests that resource. */
function ofPod({ requests = {}, limits = {} }: Resources = {}, ofContainers: Amounts): Amounts {
  const limited = [...amountsOf(limits)].filter(([name]) => !ofContainers.has(name) || name.startsWith('hugepages-'));
  return new Map([...limited, ...amountsOf(requests)].filter(([name]) => POD_LEVEL.test(name)));
}

/** The resources that a pod may request as a whole. */
const POD_LEVEL = /^(cpu|memory|hugepages-.+)$/;

function amountsOf(quantities: Readonly<Record<string, string | number>>): Amounts {
  return new Map(
    Object.entries(quantities).map(([name, quantity]) => {
      const amount = nanos(String(quantity));
      if (amount === undefined) throw new Error(`${name}: ${JSON.stringify(quantity)} is not a quantity`);
      return [name, amount];
    }),
  );
}
