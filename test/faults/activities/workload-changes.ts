import type { Random } from '../../../lab/simulator/deterministic/seeded-random';
import type { FaultCounts, FaultKind } from '../environment/fault-kinds';
import { pick } from '../environment/pick';
import { ALL_PODS, CARTS, CHECKOUT, type Workload } from '../environment/workloads';
import type { World } from '../environment/world';

const SIZES = [1, 3, 8, 9, 10, 20, 40, 41];
const USABLE = ALL_PODS.filter(({ problem }) => !problem);

export interface WorkloadChangesOptions {
  readonly world: World;
  readonly counts: FaultCounts;
  /** Of its own, so that scenarios without workloads stay as they are. */
  readonly random: Random;
  readonly until: number;
  readonly flipAlarm: () => void;
  readonly trace: (line: () => string) => void;
}

/** Services that grow, shrink, vanish, come back and change their pods, and autoscalers that cannot decide. */
export function startWorkloadChanges(options: WorkloadChangesOptions): void {
  const { world, random, until, counts } = options;
  const paths = [CHECKOUT, CARTS];
  const at = (work: () => void) => world.clock.at(world.now + Math.floor(random() * (until - world.now)), work);
  for (const path of paths) if (random() < 0.75) put(options, path);
  for (let count = 2 + Math.floor(random() * 12); count > 0; count -= 1)
    at(() => {
      const path = pick(paths, random);
      const kind = random();
      if (kind < 0.45) resize(options, path, 'workload grew or shrank');
      else if (kind < 0.6) oscillate(options, path);
      else if (kind < 0.8) reshape(options, path);
      else remove(options, path);
    });
  for (let flaps = random() < 0.5 ? 8 : 0; flaps > 0; flaps -= 1)
    at(() => {
      counts.add('alarm flaps');
      options.flipAlarm();
    });
  // In the end most of them are there, so that something can settle.
  world.clock.at(until, () => {
    for (const path of paths) if (random() < 0.8 && !isUsable(world.workloads.get(path))) put(options, path);
  });
}

function isUsable(workload: Workload | undefined): boolean {
  return workload !== undefined && !workload.isOurs && !workload.pods.problem;
}

function put({ world, random, trace }: WorkloadChangesOptions, path: string, more: Partial<Workload> = {}): void {
  const known = world.workloads.get(path) ?? { pods: pick(USABLE, random), replicas: pick(SIZES, random) };
  const usable = isUsable(known) ? known : { ...known, isOurs: false, pods: pick(USABLE, random) };
  const workload = { ...usable, ...more } as Workload;
  world.workloads.set(path, workload);
  const { replicas, pods, isOurs } = workload;
  trace(
    () =>
      `${path} has ${replicas} replicas of pods ${ALL_PODS.indexOf(pods)}${isOurs ? ", which are Headstart's" : ''}`,
  );
}

function resize(options: WorkloadChangesOptions, path: string, kind: FaultKind): void {
  const { world, random, counts } = options;
  if (!world.workloads.get(path)) return;
  counts.add(kind);
  put(options, path, { ...world.workloads.get(path), replicas: pick(SIZES, random) });
}

/** Up and down again, now and then within a minute. */
function oscillate(options: WorkloadChangesOptions, path: string): void {
  const { world, random, until } = options;
  const every = pick([20_000, 45_000, 60_000, 150_000], random);
  for (let moment = world.now, isHigh = true; moment < until; moment += every, isHigh = !isHigh) {
    const replicas = isHigh ? 40 : 8;
    world.clock.at(moment, () => {
      const known = world.workloads.get(path);
      if (!known) return;
      options.counts.add('workload oscillates');
      put(options, path, { ...known, replicas });
    });
  }
}

function reshape(options: WorkloadChangesOptions, path: string): void {
  const { world, random, counts } = options;
  const known = world.workloads.get(path);
  if (!known) return;
  counts.add('workload changed shape');
  put(options, path, { ...known, pods: pick(ALL_PODS, random), isOurs: random() < 0.25 });
}

function remove({ world, counts, trace, random, ...rest }: WorkloadChangesOptions, path: string): void {
  if (!world.workloads.get(path)) return;
  counts.add('workload vanished');
  trace(() => `${path} vanishes`);
  world.workloads.remove(path);
  const back = () => void (world.workloads.get(path) ?? put({ world, counts, trace, random, ...rest }, path));
  if (random() < 0.7) world.clock.after(Math.floor(random() * 180_000), back);
}
