import { headroomName } from '../../../shared/core/basics/names';
import type { NodePoolConfig } from '../../../shared/core/config/config';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import { DEPLOYMENTS, NAMESPACES, NODE_CLAIMS, NODE_POOLS } from '../../../simulator/kube/kinds';
import type { Change } from '../../../simulator/kube/object-store';
import type { Deployment } from '../../../simulator/kube/objects';
import { Invocation } from '../environment/invocation';
import { NAMESPACE, type World } from '../environment/world';
import type { Account, Ledger } from './accepted-inputs';
import type { NodeCounts } from './node-counts';
import { countsIn, takeCounts } from './recorded-counts';
import { type NodeTimes, wrongOpenings } from './recorded-occurrences';

/** So long after an opening's end a function that was slow, or whose clock is behind, may still write its size. */
const ENDED_MS = 2 * 60_000;

export interface WatchOptions {
  readonly world: World;
  readonly ledger: Ledger;
  readonly nodeCounts: NodeCounts;
  readonly nodeTimes: NodeTimes;
  readonly violated: (what: string) => void;
}

/**
 * What must hold at every single write, whatever goes wrong. Also tells the ledger what stands in the records:
 * what was written counts, even if nobody ever heard that it was.
 */
export function watchWrites(options: WatchOptions): void {
  const { world, violated } = options;
  for (const kind of [NAMESPACES, NODE_POOLS, NODE_CLAIMS])
    world.store.subscribe(kind, ({ type, object }) => {
      if (world.writer instanceof Invocation)
        violated(`${world.writer.label} wrote ${kind.kind} ${object.metadata.name} (${type})`);
    });
  world.store.subscribe(DEPLOYMENTS, (change) => {
    const { writer } = world;
    if (!(writer instanceof Invocation)) return;
    const wrong = wrongWith(change, writer, world.now) ?? observed(change, writer, options);
    if (wrong !== undefined) violated(`${writer.label}: ${wrong}`);
  });
}

function wrongWith({ type, object, previous }: Change<Deployment>, by: Invocation, now: number): string | undefined {
  const { name, namespace } = object.metadata;
  const pool = by.config.nodePools.find((candidate) => headroomName(candidate.name) === name);
  if ((by.raw as { readonly status?: unknown } | null)?.status === true) return `wrote ${name}, and was only asked`;
  if (namespace !== NAMESPACE) return `wrote ${name} in namespace ${namespace}`;
  const owner = previous && ownerOf(previous);
  if (owner !== undefined && owner !== by.owner) return `${type} ${name}, which belongs to ${owner}`;
  if (type === 'DELETED') {
    if (!by.isDeploy) return `deleted ${name}, and is not the reconcile of a deploy`;
    return pool ? `deleted ${name}, which its config names` : undefined;
  }
  if (!pool) return `wrote ${name}, which its config does not name`;
  if (ownerOf(object) !== by.owner) return `left ${name} with owner ${ownerOf(object)}`;
  const { replicas } = object.spec;
  const most = mostOf(pool, object, previous, now);
  return replicas > most ? `set ${name} to ${replicas}, above max ${most}` : undefined;
}

/** `max` bounds what a floor adds to the nodes that were counted; what was decided of it may be held. */
function mostOf(
  { max, unit }: NodePoolConfig,
  { metadata }: Deployment,
  previous: Deployment | undefined,
  now: number,
): number {
  if (unit.kind !== 'floor') return max;
  const all = [...countsIn(metadata.annotations?.[ANNOTATIONS.record]).values()];
  const counts = all.filter(({ until }) => until === undefined || Date.parse(until) > now - ENDED_MS);
  const held = Number(previous?.metadata.annotations?.[ANNOTATIONS.decided] ?? 0);
  return Math.max(max + Math.max(0, ...counts.map(({ nodes }) => nodes)), held);
}

function observed(
  { type, object, previous }: Change<Deployment>,
  by: Invocation,
  { ledger, nodeCounts, nodeTimes, world }: WatchOptions,
): string | undefined {
  const nodePool = object.metadata.name.replace(/^headroom-/, '');
  if (type === 'DELETED') {
    ledger.destroy(by.stack, nodePool, world.now);
    return undefined;
  }
  const pool = by.config.nodePools.find(({ name }) => name === nodePool);
  const account = ledger.of(by.stack, nodePool);
  // An alarm that its config does not name is dropped from the record, and its hold with it.
  for (const alarm of account.alarmEnds.keys())
    if (!pool?.alarms.some(({ alarmName }) => alarmName === alarm)) account.alarmEnds.delete(alarm);
  const text = object.metadata.annotations?.[ANNOTATIONS.record];
  if (type === 'ADDED') bringBack(object, account);
  return (
    ledger.observe(by.stack, nodePool, text) ??
    takeCounts(countsIn(text), account, nodeCounts.since(nodePool, by.startedAt)) ??
    (pool && heldSize(object, by, account, pool)) ??
    (pool &&
      wrongOpenings(
        { pool, before: recordIn(previous), after: text, replicas: object.spec.replicas, now: world.now },
        nodeTimes,
      ))
  );
}

function recordIn(object: Deployment | undefined): string | undefined {
  return object?.metadata.annotations?.[ANNOTATIONS.record];
}

/** An apply that was under way when somebody deleted the Deployment makes it again, with what it could not read of it. */
function bringBack({ metadata: { annotations = {} } }: Deployment, account: Account): void {
  if (annotations[ANNOTATIONS.quarantined] !== undefined) account.held = Number(annotations[ANNOTATIONS.decided]);
}

/** While the record is broken, the size that was decided last is the least that is decided next: up to max, save for a floor. */
function heldSize(object: Deployment, by: Invocation, account: Account, pool: NodePoolConfig): string | undefined {
  const { annotations = {} } = object.metadata;
  if (account.held === undefined || annotations[ANNOTATIONS.decided] === undefined) return undefined;
  if (annotations[ANNOTATIONS.quarantined] === undefined) {
    delete account.held;
    return takesOver(by.raw) ? undefined : `dropped what could not be read of ${object.metadata.name}`;
  }
  const most = pool.unit.kind === 'floor' ? account.held : pool.max;
  const [least, decided] = [Math.min(account.held, most), Number(annotations[ANNOTATIONS.decided])];
  account.held = decided;
  return decided < least && account.word?.override?.mode !== 'exactly'
    ? `decided ${decided} for ${object.metadata.name}, which is held at ${least}`
    : undefined;
}

/** A release and a pin are a person's word on the whole headroom. */
function takesOver(raw: unknown): boolean {
  const { release, exactly } = raw as { readonly release?: unknown; readonly exactly?: unknown };
  return release === true || exactly !== undefined;
}

function ownerOf({ metadata }: Deployment): string | undefined {
  return metadata.annotations?.[ANNOTATIONS.owner];
}
