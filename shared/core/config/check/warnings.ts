import { type AlarmConfig, type AnnouncedEvent, type Config, type HeadroomConfig, headroomsOn } from '../config';
import { parseQuantity } from '../schema/quantity';
import { type Located, problemAt } from '../yaml/located';
import type { Problem } from '../yaml/problem';

/** One node more is a ramp; from here on it is a step. */
const STEP = 2;

/** Pods were seen to stay behind in one of three bursts of 20, in half of those of 60; for fewer the hint would mostly be noise. */
const MAX_SMALL_SLICES = 20;

const ARCH = 'kubernetes.io/arch';

/** What is allowed but probably not meant. */
export function warningsOf(config: Config, tree: Located): Problem[] {
  return config.headrooms.flatMap((pool) => {
    const path = ['nodePools', pool.name];
    return [
      ...warn(tree, [...path, 'max'], noRoom(pool)),
      ...warn(tree, [...path, 'leadTime'], shortLead(pool)),
      ...pool.alarms.flatMap((alarm, index) =>
        warn(tree, [...path, 'alarms', index, 'add'], boostedFloor(pool, alarm)),
      ),
      ...warn(tree, [...path, 'interruptions'], surgingFloor(pool)),
      ...warn(tree, [...path, 'interruptions'], surgingTwice(pool, config)),
      ...warn(tree, [...path, 'pool', 'arch'], mixedArchitectures(pool)),
      ...(pool.events ?? []).flatMap((event, index) => warn(tree, [...path, 'events', index], oneAtATime(event))),
    ];
  });
}

function warn(tree: Located, path: readonly PropertyKey[], message: string | undefined): Problem[] {
  return message === undefined ? [] : [problemAt(tree, path, message)];
}

/** `max` bounds the absolute sizes and, apart from them, what is added to a count: each leaves boosts and surges its own room. */
function noRoom(pool: HeadroomConfig): string | undefined {
  const { base, max, windows, alarms, interruptions } = pool;
  const highest = (relative: boolean) =>
    Math.max(0, ...windows.filter((window) => (window.relative ?? false) === relative).map(({ replicas }) => replicas));
  const boosts = (some: readonly AlarmConfig[]) => some.reduce((sum, { add }) => sum + add, interruptions?.max ?? 0);
  const planned = { most: Math.max(base, highest(false)), extra: boosts(alarms.filter(({ relative }) => !relative)) };
  const added = { most: highest(true), extra: boosts(alarms) };
  const isAdded = added.most + added.extra > planned.most + planned.extra;
  const { most, extra } = isAdded ? added : planned;
  if (extra === 0 || most + extra <= max) return undefined;
  const windowsAdd = most === 0 ? 'no window adds nodes' : `a window adds ${most} nodes`;
  return `is ${max}: ${isAdded ? windowsAdd : `windows and base ask for ${most}`}, boosts and surges for up to ${extra} more; write ${most + extra} or they will be cut`;
}

function shortLead({ leadMinutes, autoLead, windows }: HeadroomConfig): string | undefined {
  if (windows.length === 0 || autoLead || leadMinutes >= 2) return undefined;
  return `is ${leadMinutes === 0 ? '0s' : '1m'}: a node takes about a minute and schedules fire up to a minute late, so the nodes will not be ready when a window opens; leave it out, or write 5m`;
}

function boostedFloor({ unit }: HeadroomConfig, { add, relative }: AlarmConfig): string | undefined {
  if (unit.kind !== 'floor' || relative) return undefined;
  return `raises a floor, which counts the nodes that exist: it adds nodes only above those; write addNodes: ${add} for so many nodes more than there are, or for free room unit: {node: {cpu, memory}}; see docs/choosing.md`;
}

function surgingFloor({ unit, interruptions }: HeadroomConfig): string | undefined {
  if (unit.kind !== 'floor' || !interruptions) return undefined;
  return 'raise a floor, which replaces a lost node by itself: a surge adds one more node only for its hold; leave interruptions out, unless the replacement should start before the old node is gone';
}

function surgingTwice(pool: HeadroomConfig, config: Config): string | undefined {
  const surging = headroomsOn(pool.nodePool, config).filter(({ interruptions }) => interruptions);
  const [first] = surging;
  if (!first || !pool.interruptions || first === pool) return undefined;
  return `add a surge for each notice about a node of NodePool ${pool.nodePool}, and so do those of ${first.name}; leave them out of one of the two (interruptions: {remove: true} where defaults has them), unless both should grow`;
}

function oneAtATime({ from, key }: AnnouncedEvent): string | undefined {
  if (from === undefined || key !== undefined) return undefined;
  return 'has no key, so that each announcement replaces the one before it; write the path of what tells its peaks apart, such as key: $.detail.id';
}

function mixedArchitectures({ pool, nodeSelector, nodeAffinity }: HeadroomConfig): string | undefined {
  if (new Set(pool?.arch).size < 2) return undefined;
  if (ARCH in nodeSelector || nodeAffinity.some(({ key }) => key === ARCH)) return undefined;
  return `mixes architectures and does not say which one the headroom is for; write nodeSelector: {${ARCH}: amd64}`;
}

/** What is right for some and dear for others: only `validate` says it. */
export function hintsOf(config: Config, tree: Located): Problem[] {
  return config.headrooms.flatMap((pool) => {
    const path = ['nodePools', pool.name];
    const step = highestStep(pool);
    return [
      ...smallSlices(pool).flatMap(({ resource, message }) =>
        warn(tree, [...path, 'unit', 'slice', resource], message),
      ),
      ...(step ? warn(tree, [...path, 'schedules', step.index, 'desiredReplicas'], stepText(step.raise)) : []),
    ];
  });
}

/** Seen with slices of 250m and 500m in bursts of 20 to 200 pods; pause pods as large as four or more pods had none. */
function smallSlices({ unit, max }: HeadroomConfig): readonly { resource: string; message: string }[] {
  const { cpu, memory = '' } = unit.requests;
  const [cores = 0, bytes = 0] = [parseQuantity(cpu ?? ''), parseQuantity(memory)];
  // Without cpu, memory tells: a general-purpose node has 4 GiB for each vCPU.
  const isSmall = cpu === undefined ? bytes > 0 && bytes < 4 * 2 ** 30 : cores < 1;
  if (unit.kind !== 'slice' || !isSmall || max <= MAX_SMALL_SLICES) return [];
  const four =
    cpu === undefined ? `memory: ${Math.ceil(bytes / 2 ** 18)}Mi` : `cpu: ${Math.round(cores * 4_000) / 1_000}`;
  const message = `is ${cpu ?? memory} with max ${max}: from Kubernetes 1.32 on, asynchronous preemption may leave the last pods of a burst on such small pause pods Pending for minutes (kubernetes/kubernetes#141694); make a slice as large as several pods and divide the sizes, such as ${four} and max: ${Math.ceil(max / 4)} for four; see docs/choosing.md`;
  return [{ resource: cpu === undefined ? 'memory' : 'cpu', message }];
}

function stepText(raise: number): string {
  return `asks for ${raise} more nodes at once: room that work takes is refilled, so a step is paid twice; for a step write unit: {floor: {cpu, memory}} and addNodes: ${raise}, for a ramp leave it as it is; see docs/choosing.md`;
}

/** The window that raises room of whole nodes most, over base and over the windows below it. */
function highestStep({ unit, base, windows }: HeadroomConfig): { index: number; raise: number } | undefined {
  if (unit.kind !== 'node') return undefined;
  const levels = [base, ...windows.map(({ replicas }) => replicas)];
  const raises = windows.map(({ replicas }, index) => {
    const below = levels.filter((level) => level < replicas);
    return { index, raise: below.length === 0 ? 0 : replicas - Math.max(...below) };
  });
  return raises
    .filter(({ raise }) => raise >= STEP)
    .reduce<{ index: number; raise: number } | undefined>(
      (best, one) => (best && best.raise >= one.raise ? best : one),
      undefined,
    );
}
