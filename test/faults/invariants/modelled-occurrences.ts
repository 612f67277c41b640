import { standingAt, withKnownCounts } from '../model/expected-alarm-counts';
import { expectedReady } from '../model/expected-ready';
import { addedNow, countFor, isTooLate, occurrencesNow, requestTime, windowSize } from '../model/expected-size';
import { expectedStarts, expectedWhy } from '../model/expected-why';
import { MINUTE, type Occurrence, openedAt, tookMinutes } from '../model/minute-windows';
import type { WrittenCount, WrittenOverride, WrittenRecord } from '../model/written-record';
import { annotation, differs, lastDecided, type ModelledWrite, sawNodes } from './modelled-write';

/** How long after its end a count is kept, in case a function's clock is behind, and until when an occurrence is new. */
const COUNT_KEPT_MS = 5 * MINUTE;
const MOST_BEGUN = 12;
const FOUND_WITHIN_MS = 10 * MINUTE;
const LOOK_EVERY_MINUTES = 10;

/** Counts stay until their occurrence has ended, and one that is missing is taken from those that stood before. */
export function wrongCounts(write: ModelledWrite): string | undefined {
  const { pool, before, after, decided, now } = write;
  for (const [key, known] of Object.entries(before.counts)) {
    const isKept = Date.parse(known.until) + COUNT_KEPT_MS > now && !isReplaced(key, write);
    const wrong = differs(`count of ${key}`, pick(after.counts[key]), isKept ? pick(known) : undefined);
    if (wrong) return wrong;
  }
  if (isPinned(after, now)) return undefined;
  const relative = wanted({ pool, record: decided, now }).filter(({ window }) => window.relative);
  return first(relative, (one) => (after.counts[one.key] ? wrongCount(one, write) : wrongWithout(one, write)));
}

/** Of the occurrences of one peak that events make longer, the one that ends last has the count of all. */
function isReplaced(key: string, { before, after }: ModelledWrite): boolean {
  const peak = key.slice(0, key.lastIndexOf('@') + 1);
  const [own, ...all] = [before.counts[key], ...Object.entries(after.counts)] as const;
  return all.some(([other, { nodes, until }]) => {
    if (!own || other === key || !key.startsWith('event:') || !other.startsWith(peak) || nodes > own.nodes)
      return false;
    const [end, ownEnd] = [until, after.counts[key]?.until ?? own.until];
    return end > ownEnd || (end === ownEnd && other > key);
  });
}

function wrongCount(one: Occurrence, write: ModelledWrite): string | undefined {
  const { pool, before, after, decided } = write;
  const [known, counted] = [before.counts[one.key], after.counts[one.key]];
  const until = Math.max(one.end, Date.parse(known?.until ?? '1970-01-01'));
  const wrong = differs(`end of ${one.key}`, counted?.until, new Date(until).toISOString());
  if (wrong) return wrong;
  const standing = {
    counts: before.counts,
    alarms: withKnownCounts(write).alarms,
    ...(after.override && { override: withKnownCount(before, after) }),
  };
  const grown = known ? undefined : grownByLoss(one, counted, write);
  if (grown) return grown;
  if (known || !counted || counted.assumed !== undefined) return undefined;
  const { lowest, isInForce } = standingAt(standing, pool, requestTime(one, pool, decided));
  const isRight = !lowest || (isInForce ? counted.nodes === lowest.nodes : counted.nodes <= lowest.nodes);
  return isRight
    ? undefined
    : `${one.key} adds to ${counted.nodes} nodes, and an occurrence that stood has ${lowest.nodes}`;
}

/** A count that is assumed now explains the size that was decided before, and no more: a loss asks for nothing. */
function grownByLoss(
  { key, window }: Occurrence,
  { nodes, at, assumed }: Partial<WrittenCount> = {},
  { pool, previous, after, now, world }: ModelledWrite,
): string | undefined {
  if (previous && annotation(previous, 'record') === undefined && assumed === undefined)
    return `the lost count of ${key} was counted again: ${nodes}`;
  if (assumed === undefined || !nodes || at !== new Date(now).toISOString()) return undefined;
  const size = nodes + addedNow(window.replicas, { pool, record: after, now });
  const decided = lastDecided(previous, pool, world);
  return size > decided ? `the lost count of ${key} makes ${size} of ${decided} that were decided` : undefined;
}

/** An occurrence without a count inherits one, or the NodeClaims could not be read. */
function wrongWithout(one: Occurrence, { by, pool, after, decided }: ModelledWrite): string | undefined {
  const isInherited = countFor(one, after, { pool, record: decided }) !== undefined;
  return isInherited || by.absorbable + by.timeouts > 0 ? undefined : `${one.key} was not counted`;
}

/** Every occurrence is requested once, and ready once as many pods are as its window needs. */
export function wrongRequests(write: ModelledWrite): string | undefined {
  const { pool, after, decided, now } = write;
  return first(wanted({ pool, record: decided, now }), (one) => {
    if (isTooLate(one, { pool, record: decided })) return wrongVerdict(one, write);
    return after.requests[one.key] ? wrongRequest(one, write) : wrongSilence(one, write);
  });
}

/** A window that was written too late gets no verdict; one that it had stays. */
function wrongVerdict({ key }: Occurrence, { before, after }: ModelledWrite): string | undefined {
  const known = before.requests[key];
  return differs(
    `verdict of ${key}, which was written too late,`,
    after.requests[key],
    known?.ready ? known : undefined,
  );
}

function wrongSilence(one: Occurrence, { before, after, now }: ModelledWrite): string | undefined {
  const opens = openedAt(one.window, one.start) === one.start;
  const isDue = opens && (before.requests[one.key] !== undefined || one.start > now - FOUND_WITHIN_MS);
  const isDropped = one.start <= now && (isPinned(after, now) || begun(after, now) >= MOST_BEGUN);
  return isDue && !isDropped ? `${one.key} is not requested` : undefined;
}

/** How many requests of occurrences that have begun are kept. */
function begun({ requests }: ModelledWrite['after'], now: number): number {
  return Object.keys(requests).filter((key) => Date.parse(key.slice(key.lastIndexOf('@') + 1)) <= now).length;
}

function wrongRequest(one: Occurrence, write: ModelledWrite): string | undefined {
  const { previous, before, after, now } = write;
  const [known, request] = [before.requests[one.key], after.requests[one.key]];
  const size = sizeOf(one, write);
  const isReady = size !== undefined && expectedReady(previous) >= size;
  const at = new Date(now).toISOString();
  const wrong =
    differs(`request of ${one.key}`, request?.at, known?.at ?? at) ??
    differs(`ready of ${one.key}`, request?.ready, known?.ready ?? (isReady ? at : undefined)) ??
    (known ? undefined : wrongBasis(one, write));
  if (wrong) return wrong;
  const isLate = one.start <= now && request?.ready === undefined && size !== undefined && !isPinned(after, now);
  if (!isLate) return undefined;
  if (!request?.why) return `${one.key} is late, and no cause is recorded`;
  if (known?.why || !sawNodes(write)) return undefined;
  const missing = size - expectedReady(previous);
  return differs(`cause of ${one.key}`, request.why, expectedWhy(write.pool.nodePool, previous, missing, write.world));
}

/** A heartbeat every ten minutes reads how long nodes took: for a learned lead time, as a deploy does, or after a write. */
export function wrongStarts(write: ModelledWrite): string | undefined {
  const { by, pool, before, after, now, world } = write;
  const { headrooms, cluster } = by.config;
  const deployed = headrooms.find(({ name }) => name === pool.name);
  const hasWindows = cluster.liveSchedules || deployed?.events || (deployed?.windows.length ?? 0) > 0;
  const learns = deployed?.autoLead !== undefined && hasWindows;
  const isDue = Math.floor(now / MINUTE) % LOOK_EVERY_MINUTES === 0;
  const looks = learns ? by.isDeploy || isDue : isDue && mayHaveStarted(write);
  if (by.functionName !== 'reconcile' || !sawNodes(write)) return undefined;
  const expected = looks ? expectedStarts(before.nodeStarts, pool.nodePool, world) : before.nodeStarts;
  return differs('node starts', Object.entries(after.nodeStarts), Object.entries(expected));
}

/** Nodes start for what has a size and was written in the last twenty minutes. */
function mayHaveStarted({ previous, now, world }: ModelledWrite): boolean {
  const wroteAt = (previous && world.wroteAt.get(previous)) ?? 0;
  return (previous?.spec.replicas ?? 0) > 0 && now - wroteAt <= 2 * LOOK_EVERY_MINUTES * MINUTE;
}

/** A learned lead time says what it was learned from. */
function wrongBasis({ key }: Occurrence, { pool, after }: ModelledWrite): string | undefined {
  const seconds = Object.values(after.nodeStarts);
  const basis = pool.autoLead ? { nodes: seconds.length, took: tookMinutes(seconds) } : {};
  const { nodes, took } = after.requests[key] ?? {};
  return differs(`basis of ${key}`, { nodes, took }, basis);
}

export function sizeOf(one: Occurrence, { pool, after, decided }: ModelledWrite): number | undefined {
  const { replicas, lacks } = windowSize(one, pool, after);
  const size = Math.min(replicas, pool.max);
  if (!one.window.relative) return lacks ? undefined : size;
  const counted = countFor(one, after, { pool, record: decided });
  return counted && Math.min(counted.nodes + size, counted.assumed ?? Number.POSITIVE_INFINITY);
}

export function wanted({
  pool,
  record,
  now,
}: Pick<ModelledWrite, 'pool' | 'now'> & { readonly record: WrittenRecord }) {
  const input = { pool, record, now, decidedBefore: 0, broken: false };
  return pool.windows.flatMap((window) => occurrencesNow(window, input));
}

/** The override that counts, with the count that it had before. */
function withKnownCount(before: WrittenRecord, { override }: WrittenRecord): WrittenOverride {
  const { counted: _new, ...rest } = override as WrittenOverride;
  const same = before.override?.reason === rest.reason && before.override.at === rest.at;
  return { ...rest, ...(same && before.override?.counted && { counted: before.override.counted }) };
}

function isPinned({ override }: WrittenRecord, now: number): boolean {
  return override?.mode === 'exactly' && Date.parse(override.until) > now;
}

function pick(count: WrittenRecord['counts'][string] | undefined) {
  return count && { nodes: count.nodes, at: count.at };
}

function first(all: readonly Occurrence[], wrongWith: (one: Occurrence) => string | undefined): string | undefined {
  for (const one of all) {
    const wrong = wrongWith(one);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
