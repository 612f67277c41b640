import type { Random } from '../../../simulator/deterministic/seeded-random';
import { DEPLOYMENTS } from '../../../simulator/kube/kinds';
import { NAMESPACE, type World } from '../environment/world';

export interface PodsOptions {
  readonly world: World;
  readonly random: Random;
}

const CONDITIONS = [
  [],
  [],
  [{ type: 'Available', status: 'True' }],
  [{ type: 'ReplicaFailure', status: 'False', reason: 'FailedCreate', message: 'once' }],
  [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'exceeded quota: "pods"' }],
  [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate' }],
] as const;

function pick<T>(items: readonly T[], random: Random): T {
  return items[Math.floor(random() * items.length)] as T;
}

/**
 * The Deployment controller, as far as figures and verdicts need it: pods exist at once and are ready later, often not
 * all of them. Its writes to the status also cause conflicts.
 */
export function startPods({ world, random }: PodsOptions): void {
  const settle = (name: string) => {
    const object = world.store.get(DEPLOYMENTS, NAMESPACE, name);
    if (!object) return;
    const { replicas } = object.spec;
    const readyReplicas = random() < 0.6 ? replicas : Math.floor(random() * (replicas + 1));
    const conditions = pick(CONDITIONS, random);
    const status = { ...object.status, replicas, readyReplicas, conditions };
    world.as('cluster', () => world.store.write(DEPLOYMENTS, { ...object, status }));
  };
  world.store.subscribe(DEPLOYMENTS, ({ type, object, previous }) => {
    if (type === 'DELETED' || object.spec.replicas === previous?.spec.replicas) return;
    world.clock.after(1 + Math.floor(random() ** 2 * 20_000), () => settle(object.metadata.name));
  });
}
