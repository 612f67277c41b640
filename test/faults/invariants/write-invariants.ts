import { DEPLOYMENTS, NAMESPACES, NODE_CLAIMS, NODE_POOLS } from '../../../lab/simulator/kube/kinds';
import type { Change } from '../../../lab/simulator/kube/object-store';
import type { Deployment } from '../../../lab/simulator/kube/object-types';
import { headroomName } from '../../../shared/core/basics/names';
import type { HeadroomConfig } from '../../../shared/core/config/config';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import { isClockWrong } from '../environment/function-host';
import { Invocation } from '../environment/invocation';
import { NAMESPACE, type World } from '../environment/world';
import { poolWithLike, writtenLike } from '../model/expected-like';
import { poolWithLive, writtenLive } from '../model/expected-live';
import { poolWithPeaks } from '../model/expected-peaks';
import { writtenRecord } from '../model/written-record';
import type { AcceptedInputs, PoolInputs } from './accepted-inputs';
import type { LikeInvariants } from './like-invariants';
import { lastDecided, type ModelledWrite, modelledBy } from './modelled-write';
import { unlikeTheModel } from './modelled-writes';
import type { NodeCounts } from './node-counts';
import { countsIn, takeCounts, trueCount } from './recorded-counts';
import { type NodeTimes, wrongOccurrences } from './recorded-occurrences';

/** How long after an occurrence's end a slow function, or one whose clock is behind, may still write its size. */
const ENDED_MS = 2 * 60_000;

export interface WriteInvariantsOptions {
  readonly world: World;
  readonly accepted: AcceptedInputs;
  readonly nodeCounts: NodeCounts;
  readonly nodeTimes: NodeTimes;
  readonly like: LikeInvariants;
  readonly violated: (what: string) => void;
}

/**
 * What must hold at every single write, whatever the faults. Whatever a written record holds counts as accepted,
 * even if the response to the write was lost.
 */
export function checkWrites(options: WriteInvariantsOptions): void {
  const { world, violated } = options;
  for (const kind of [NAMESPACES, NODE_POOLS, NODE_CLAIMS])
    world.store.subscribe(kind, ({ type, object }) => {
      if (world.writer instanceof Invocation)
        violated(`${world.writer.label} wrote ${kind.kind} ${object.metadata.name} (${type})`);
    });
  world.store.subscribe(DEPLOYMENTS, (change) => {
    const { writer } = world;
    if (!(writer instanceof Invocation)) return;
    const { name } = change.object.metadata;
    writer.writes.set(name, change);
    const wrong = wrongWith(change, writer) ?? observed(change, writer, options);
    if (wrong !== undefined) violated(`${writer.label}: ${wrong}`);
  });
}

function wrongWith({ type, object, previous }: Change<Deployment>, by: Invocation): string | undefined {
  const { name, namespace } = object.metadata;
  const pool = by.config.headrooms.find((candidate) => headroomName(candidate.name) === name);
  if ((by.raw as { readonly status?: unknown } | null)?.status === true)
    return `wrote ${name}, although it only serves a status request`;
  if (namespace !== NAMESPACE) return `wrote ${name} in namespace ${namespace}`;
  if (isClockWrong(by)) return `wrote ${name}, although its clock is wrong by ${by.skewMs} ms`;
  const owner = previous && ownerOf(previous);
  if (owner !== undefined && owner !== by.owner) return `${type} ${name}, which belongs to ${owner}`;
  if (type === 'DELETED') {
    if (!by.isDeploy) return `deleted ${name}, and is not the reconcile of a deploy`;
    if (owner === undefined) return `deleted ${name}, which names no owner`;
    return pool ? `deleted ${name}, which its config names` : undefined;
  }
  if (!pool) return `wrote ${name}, which its config does not name`;
  if (ownerOf(object) !== by.owner) return `left ${name} with owner ${ownerOf(object)}`;
  return undefined;
}

/**
 * `max` bounds what a floor adds to the nodes that were really there; the size that was decided before may be held, and a
 * count that was lost may lead to the size that was decided then, also where a deploy has lowered `max` since.
 */
function mostOf(
  pool: HeadroomConfig,
  { metadata }: Deployment,
  previous: Deployment | undefined,
  world: World,
  inputs: PoolInputs,
): number {
  const { max, unit } = pool;
  if (unit.kind !== 'floor') return max;
  const all = [...countsIn(metadata.annotations?.[ANNOTATIONS.record])];
  const counts = all.filter(([, { until }]) => until === undefined || Date.parse(until) > world.now - ENDED_MS);
  const held = lastDecided(previous, pool, world);
  const assumed = counts.map(([, count]) => count.assumed ?? 0);
  return Math.max(max + Math.max(0, ...counts.map(([key, count]) => trueCount(key, count, inputs))), held, ...assumed);
}

/** What a lost count may lead to is what was decided, or `max`, when it was derived; others inherit that. */
function wrongAssumption(
  { object, previous }: Change<Deployment>,
  pool: HeadroomConfig,
  world: World,
): string | undefined {
  const { counts, override, alarms } = writtenRecord(recordIn(previous));
  const ofAlarms = Object.values(alarms).map(({ counted }) => counted);
  const before = [...Object.values(counts), ...ofAlarms, override?.counted].map((count) => count?.assumed);
  const most = Math.max(lastDecided(previous, pool, world), pool.max);
  const found = [...countsIn(recordIn(object))].find(
    ([, { assumed }]) => assumed !== undefined && !before.includes(assumed) && assumed > most,
  );
  return found && `lets the lost count of ${found[0]} lead to ${found[1].assumed}, above ${most}`;
}

function tooLarge(
  { object, previous }: Change<Deployment>,
  pool: HeadroomConfig,
  inputs: PoolInputs,
  world: World,
): string | undefined {
  const [{ name }, { replicas }] = [object.metadata, object.spec];
  const most = mostOf(pool, object, previous, world, inputs);
  return replicas > most ? `set ${name} to ${replicas}, above max ${most}` : undefined;
}

function observed(
  change: Change<Deployment>,
  by: Invocation,
  { accepted, nodeCounts, nodeTimes, like, world }: WriteInvariantsOptions,
): string | undefined {
  const { type, object, previous } = change;
  const headroom = object.metadata.name.replace(/^headroom-/, '');
  if (type === 'DELETED') {
    accepted.destroy(by.stack, headroom, world.now);
    return undefined;
  }
  const deployed = by.config.headrooms.find(({ name }) => name === headroom);
  const pool =
    deployed && poolWithLike(deployed, writtenLike(deployed, object.metadata.annotations?.[ANNOTATIONS.like]));
  const inputs = accepted.of(by.stack, headroom);
  // An alarm that the config does not name is dropped from the record together with its hold.
  for (const alarm of inputs.alarmEnds.keys())
    if (!pool?.alarms.some(({ alarmName }) => alarmName === alarm)) inputs.alarmEnds.delete(alarm);
  const text = object.metadata.annotations?.[ANNOTATIONS.record];
  if (nodePoolIn(previous, headroom) !== nodePoolIn(object, headroom)) accepted.move(by.stack, headroom, world.now);
  if (type === 'ADDED') restoreHeld(object, inputs);
  return (
    accepted.observe(by.stack, headroom, text) ??
    takeCounts(countsIn(text), inputs, nodeCounts.since(pool?.nodePool ?? headroom, by.startedAt)) ??
    (pool && wrongAssumption(change, pool, world)) ??
    (pool && tooLarge(change, pool, inputs, world)) ??
    (pool && heldSize(object, by, inputs, pool)) ??
    (deployed && unlikeTheModel(change, by, deployed, world)) ??
    wrongWithLike(modelledBy(by).get(object.metadata.name), object, like) ??
    (pool &&
      wrongOccurrences(
        {
          pool: poolWithPeaks(
            poolWithLive(pool, writtenLive(object.metadata.annotations?.[ANNOTATIONS.live])).pool,
            writtenRecord(text).announced,
          ),
          before: recordIn(previous),
          after: text,
          replicas: object.spec.replicas,
          now: world.now,
        },
        nodeTimes,
      ))
  );
}

function wrongWithLike(write: ModelledWrite | undefined, object: Deployment, like: LikeInvariants): string | undefined {
  return write?.object === object ? like.wrongWith(write) : undefined;
}

/** Of a record that does not say it, nobody knows. */
function nodePoolIn(object: Deployment | undefined, headroom: string): string {
  return writtenRecord(recordIn(object)).nodePool ?? headroom;
}

function recordIn(object: Deployment | undefined): string | undefined {
  return object?.metadata.annotations?.[ANNOTATIONS.record];
}

/** An apply that was in flight when the Deployment was deleted creates it again, with its quarantined annotation. */
function restoreHeld({ metadata: { annotations = {} } }: Deployment, inputs: PoolInputs): void {
  if (annotations[ANNOTATIONS.quarantined] !== undefined) inputs.held = Number(annotations[ANNOTATIONS.decided]);
}

/** While the record is broken, the last decided size is the minimum for the next; except for a floor, `max` still bounds it. */
function heldSize(object: Deployment, by: Invocation, inputs: PoolInputs, pool: HeadroomConfig): string | undefined {
  const { annotations = {} } = object.metadata;
  if (inputs.held === undefined || annotations[ANNOTATIONS.decided] === undefined) return undefined;
  if (annotations[ANNOTATIONS.quarantined] === undefined) {
    delete inputs.held;
    return takesOver(by.raw) ? undefined : `dropped what could not be read of ${object.metadata.name}`;
  }
  const most = pool.unit.kind === 'floor' ? inputs.held : pool.max;
  const [least, decided] = [Math.min(inputs.held, most), Number(annotations[ANNOTATIONS.decided])];
  inputs.held = decided;
  return decided < least && inputs.latest?.override?.mode !== 'exactly'
    ? `decided ${decided} for ${object.metadata.name}, which is held at ${least}`
    : undefined;
}

/** A release or a pin replaces the whole record. */
function takesOver(raw: unknown): boolean {
  const { release, exactly } = raw as { readonly release?: unknown; readonly exactly?: unknown };
  return release === true || exactly !== undefined;
}

function ownerOf({ metadata }: Deployment): string | undefined {
  return metadata.annotations?.[ANNOTATIONS.owner];
}
