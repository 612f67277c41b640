import type { Random } from '../../../lab/simulator/deterministic/seeded-random';
import { DEPLOYMENTS } from '../../../lab/simulator/kube/kinds';
import { pick } from '../environment/pick';
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
    // Old pods of a roll are there until new ones replace them.
    const updatedReplicas = random() < 0.8 ? replicas : Math.floor(random() * (replicas + 1));
    const { generation: observedGeneration = 1 } = object.metadata;
    const status = { ...object.status, observedGeneration, replicas, updatedReplicas, readyReplicas, conditions };
    world.as('cluster', () => world.store.write(DEPLOYMENTS, { ...object, status }));
  };
  world.store.subscribe(DEPLOYMENTS, ({ type, object, previous }) => {
    if (type === 'DELETED' || object.metadata.generation === previous?.metadata.generation) return;
    const slowest = random() < 0.15 ? 240_000 : 20_000;
    world.clock.after(1 + Math.floor(random() ** 2 * slowest), () => settle(object.metadata.name));
  });
}
