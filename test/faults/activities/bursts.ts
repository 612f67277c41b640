import type { Random } from '../../../lab/simulator/deterministic/seeded-random';
import { DEPLOYMENTS } from '../../../lab/simulator/kube/kinds';
import type { Pod } from '../../../lab/simulator/kube/object-types';
import type { EventLog } from '../environment/event-log';
import type { FaultCounts } from '../environment/fault-kinds';
import type { PausePods } from '../environment/pause-pods';
import { NAMESPACE, type World } from '../environment/world';

const MINUTE = 60_000;
/** kube-scheduler writes an Event a little after what it is about. */
const WRITTEN_WITHIN_MS = 9_000;

export interface BurstsOptions {
  readonly world: World;
  readonly random: Random;
  readonly pods: PausePods;
  readonly events: EventLog;
  readonly counts: FaultCounts;
  readonly trace: (line: () => string) => void;
  /** When the last one may begin. */
  readonly until: number;
}

/** Work that takes the place of pause pods: many at once, or one at a time. */
export function startBursts(options: BurstsOptions): void {
  const { world, random, until } = options;
  for (let count = 2 + Math.floor(random() * 5); count > 0; count -= 1) {
    const at = world.now + Math.floor(random() * (until - world.now));
    world.clock.at(at, random() < 0.7 ? () => burst(options) : () => singles(options));
  }
}

function burst(options: BurstsOptions): void {
  const { world, random, counts, trace, pods } = options;
  const headroom = anyHeadroom(options);
  const running = headroom === undefined ? [] : pods.running(headroom);
  // Sometimes a pod is left, so that no more than one runs until the others are back.
  const taken = running.slice(0, random() < 0.5 ? Math.max(2, running.length - 1) : 2 + Math.floor(random() * 3));
  if (taken.length < 2) return;
  counts.add('pause pods taken in a burst');
  trace(() => `a burst takes ${taken.length} of the ${running.length} running pods of ${headroom}`);
  const spread = random() < 0.3 ? MINUTE - 1 : 4_000;
  for (const pod of taken) world.clock.after(Math.floor(random() * spread), () => preempt(options, pod));
}

/** More than a minute apart: kube-scheduler leaves no pod behind. */
function singles(options: BurstsOptions): void {
  const { world, random, counts, trace, pods } = options;
  const headroom = anyHeadroom(options);
  if (headroom === undefined) return;
  for (let count = 0; count < 3; count += 1)
    world.clock.after(count * (MINUTE + 1 + Math.floor(random() * 10_000)), () => {
      const [pod] = pods.running(headroom);
      if (!pod) return;
      counts.add('pause pod taken alone');
      trace(() => `one pod of ${headroom} is taken`);
      preempt(options, pod);
    });
}

function preempt({ world, random, pods, events }: BurstsOptions, pod: Pod): void {
  pods.take(pod);
  const { name, uid } = pod.metadata;
  const tell = () => {
    // With microseconds, as kube-scheduler writes it.
    const eventTime = new Date(world.now).toISOString().replace('Z', '000Z');
    const regarding = { kind: 'Pod', name, uid };
    const related = { kind: 'Pod', namespace: 'shop', name: `work-${Math.floor(random() * 4)}` };
    const metadata = { name: `${name}.${world.now.toString(16)}` };
    const event = { metadata, reason: 'Preempted', eventTime, regarding, related };
    world.clock.after(Math.floor(random() * WRITTEN_WITHIN_MS), () => void events.add(event));
  };
  tell();
  // For another pod, although it is gone.
  if (random() < 0.1) world.clock.after(1 + Math.floor(random() * 1_000), tell);
}

function anyHeadroom({ world, random }: BurstsOptions): string | undefined {
  const all = world.store.list(DEPLOYMENTS, NAMESPACE);
  return all[Math.floor(random() * all.length)]?.metadata.name;
}
