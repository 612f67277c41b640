import type { Random } from '../../../lab/simulator/deterministic/seeded-random';
import type { JsonObject } from '../../../lab/simulator/kube/json';
import { DEPLOYMENTS } from '../../../lab/simulator/kube/kinds';
import type { Deployment } from '../../../lab/simulator/kube/object-types';
import { MANAGED_BY_LABEL } from '../../../shared/core/basics/names';
import type { FaultCounts } from '../environment/fault-kinds';
import { Invocation } from '../environment/invocation';
import { NAMESPACE, type World } from '../environment/world';

export interface OtherWriterOptions {
  readonly world: World;
  readonly counts: FaultCounts;
  readonly random: Random;
  /** When it stops. */
  readonly until: number;
  readonly trace: (line: () => string) => void;
}

type Wanted = (object: Deployment) => JsonObject;

const WANTED: readonly Wanted[] = [
  () => ({ spec: { replicas: 1 } }),
  () => ({ metadata: { labels: { [MANAGED_BY_LABEL]: 'gitops' } } }),
  ({ spec }) => {
    const [container] = spec.template.spec.containers;
    return { spec: { template: { spec: { containers: [{ ...container, image: 'mirror/pause' }] } } } };
  },
];

/** A GitOps tool or a webhook that reverts one field of one headroom whenever Headstart has set it. */
export function startOtherWriter({ world, counts, random, until, trace }: OtherWriterOptions): void {
  const name = random() < 0.7 ? 'headroom-web' : 'headroom-ci';
  const wanted = WANTED[Math.floor(random() * WANTED.length)] as Wanted;
  const delay = 1 + Math.floor(random() * 2_000);
  const setBack = () => {
    const object = world.store.get(DEPLOYMENTS, NAMESPACE, name);
    if (!object || world.now > until) return;
    const patch = { kind: 'merge' as const, body: wanted(object) };
    if (world.as('operator', () => world.api.patch(DEPLOYMENTS, object, patch, { fieldManager: 'gitops' })) === object)
      return;
    counts.add('field set back by another writer');
    trace(() => `another writer sets ${name} back: ${JSON.stringify(patch.body).slice(0, 120)}`);
  };
  world.store.subscribe(DEPLOYMENTS, ({ type, object }) => {
    if (type === 'DELETED' || object.metadata.name !== name || !(world.writer instanceof Invocation)) return;
    world.clock.after(delay, setBack);
  });
}
