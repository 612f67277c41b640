import { isDeepStrictEqual } from 'node:util';
import type { Change } from '../../../lab/simulator/kube/object-store';
import type { Deployment } from '../../../lab/simulator/kube/object-types';
import type { HeadroomConfig } from '../../../shared/core/config/config';
import type { Invocation } from '../environment/invocation';
import type { World } from '../environment/world';
import { wrongAlarmCounts } from '../model/expected-alarm-counts';
import { likeReasons, poolWithLike, writtenLike } from '../model/expected-like';
import { poolWithLive, writtenLive } from '../model/expected-live';
import { expectedPeaks, poolWithPeaks } from '../model/expected-peaks';
import { expectedAlarms, expectedOverride, expectedSurges } from '../model/expected-record';
import { expectedSize } from '../model/expected-size';
import { expectedTaken } from '../model/expected-taken';
import { expectedSpec, needsIn, specOf } from '../model/expected-template';
import { decisionTime, requestedBy } from '../model/requested-by';
import { brokenText, recordFor, type WrittenRecord, withoutShares, writtenRecord } from '../model/written-record';
import { wrongContests } from './contest-counter';
import { wrongLiveWrite } from './live-invariants';
import { wrongCounts, wrongRequests, wrongStarts } from './modelled-occurrences';
import { wrongLikeWrite, wrongShares } from './modelled-shares';
import { annotation, clean, decidedOn, differs, lastDecided, type ModelledWrite, modelledBy } from './modelled-write';

/** What a write carries that must not find anything. */
const NO_VERSION = '1';

/**
 * Works every written size and record out again, from the object that it was decided on, the event and CloudWatch's
 * answer. The guard of the version makes that exact: the object before the write is the one that the function read.
 */
export function unlikeTheModel(
  { type, object, previous }: Change<Deployment>,
  by: Invocation,
  deployed: HeadroomConfig,
  world: World,
): string | undefined {
  const text = annotation(object, 'record');
  if (text === undefined) return 'wrote no record';
  // Deleted in between, and created again by what was in flight.
  if (type === 'ADDED' && by.guard !== NO_VERSION) return undefined;
  const now = decisionTime(by);
  const [kept, stored] = [writtenLike(deployed, annotation(object, 'like')), annotation(previous, 'like')];
  const known = recordFor(deployed, writtenRecord(annotation(previous, 'record')));
  const before = deployed.like && !writtenLike(deployed, stored) ? withoutShares(known) : known;
  const after = writtenRecord(text);
  const { pool: edited, reasons } = poolWithLive(deployed, writtenLive(annotation(object, 'live')));
  const pool = poolWithPeaks(poolWithLike(edited, kept), after.announced);
  const sourceReasons = [...reasons, ...likeReasons(deployed, kept)];
  const decided = decidedOn(before, after);
  const write: ModelledWrite = { by, pool, sourceReasons, object, previous, before, after, decided, now, world };
  modelledBy(by).set(object.metadata.name, write);
  const wrong =
    wrongLiveWrite(by, pool.name, annotation(object, 'live'), annotation(previous, 'live'), now) ??
    wrongLikeWrite(write) ??
    differs('NodePool', after.nodePool, pool.nodePool === pool.name ? undefined : pool.nodePool) ??
    wrongIntents(write, world) ??
    differs('announced', after.announced, expectedPeaks(before.announced ?? {}, by, deployed, now)) ??
    wrongTaken(write) ??
    wrongCounts(write) ??
    wrongAlarmCounts({ ...write, isExcused: by.absorbable + by.timeouts > 0 }) ??
    wrongShares(write) ??
    wrongRequests(write) ??
    wrongStarts(write) ??
    wrongSize(write) ??
    wrongContests(write) ??
    wrongText(write) ??
    wrongManifest(write);
  return wrong === undefined ? undefined : `wrote ${object.metadata.name} unlike the model: ${wrong}`;
}

function wrongIntents(
  { by, pool, before, after, now, object, previous }: ModelledWrite,
  world: World,
): string | undefined {
  const requested = requestedBy(by, pool, world);
  const input = {
    ...{ pool, before, readings: by.readings, receivedAt: by.receivedAt ?? 0, now },
    requested: requested ?? { surges: [] },
  };
  const { override, released } = expectedOverride(input);
  const { counted: _before, of: _of, ...expected } = override ?? {};
  const { counted: _after, of: _new, ...written } = after.override ?? {};
  const isHeld = annotation(object, 'unreadable-record') !== undefined;
  const wasHeld = before.broken || annotation(previous, 'unreadable-record') !== undefined;
  const replacesAll = requested?.released !== undefined || requested?.override?.mode === 'exactly';
  const takesOver = replacesAll && isRequested(requested, override, released);
  return (
    differs('override', written, expected) ??
    differs('released', after.released, released) ??
    differs('alarms', withoutCounts(after.alarms), sorted(expectedAlarms(input))) ??
    (requested && differs('surges', after.surges, sorted(expectedSurges(input)))) ??
    differs('unreadable', isHeld, wasHeld && !takesOver)
  );
}

/** Whether the newest override is the one that this invocation was for. */
function isRequested(requested: ReturnType<typeof requestedBy>, override: unknown, released: unknown): boolean {
  if (requested?.released) return isDeepStrictEqual(requested.released, released);
  return requested?.override !== undefined && isDeepStrictEqual(requested.override, override);
}

/** Only heartbeats look at what work took. */
function wrongTaken({ by, pool, before, after, now }: ModelledWrite): string | undefined {
  if (by.preempted && (by.raw as { 'detail-type'?: unknown })['detail-type'] !== 'Headstart Heartbeat')
    return 'preemptions were read without a heartbeat';
  const { until = before.takenUntil } = expectedTaken(by, pool, before, now) ?? {};
  return differs('takenUntil', after.takenUntil, until);
}

function wrongSize({ pool, sourceReasons, object, previous, decided, now, world }: ModelledWrite): string | undefined {
  const broken = annotation(object, 'unreadable-record') !== undefined;
  const decidedBefore = lastDecided(previous, pool, world);
  const expected = expectedSize({ pool, record: decided, now, broken, decidedBefore });
  return (
    differs('replicas', object.spec.replicas, expected.replicas) ??
    differs('decided', annotation(object, 'decided-replicas'), String(expected.replicas)) ??
    (expected.reasons &&
      differs('reasons', JSON.parse(annotation(object, 'reasons') ?? '[]'), [...expected.reasons, ...sourceReasons]))
  );
}

/** In the order in which people read it, and with what cannot be read beside it. */
function wrongText({ object, previous, before }: ModelledWrite): string | undefined {
  const text = annotation(object, 'record') ?? '';
  const record = JSON.parse(text) as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const unsorted = MAPS.find((map) => !isDeepStrictEqual(Object.keys(record[map] ?? {}), keysOf(record[map])));
  if (unsorted !== undefined) return `${unsorted} are not in order: ${text}`;
  const aside = annotation(object, 'unreadable-record');
  if (aside === undefined) return undefined;
  const known = annotation(previous, 'unreadable-record');
  return differs('what is set aside', aside, before.broken ? brokenText(annotation(previous, 'record') ?? '') : known);
}

const MAPS = ['alarms', 'surges', 'counts', 'requests', 'nodeStarts', 'shares', 'announced'];

function keysOf(map: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  return Object.keys(map ?? {}).toSorted();
}

function wrongManifest({ pool, object, previous }: ModelledWrite): string | undefined {
  // As long as nothing is known of the workload's pods, the template stays.
  if (pool.shaped?.pods === 0) return previous && differs('pods', object.spec.template, previous.spec.template);
  return differs('manifest', specOf(object), clean(expectedSpec(pool, needsIn(object))));
}

function withoutCounts(alarms: WrittenRecord['alarms']): WrittenRecord['alarms'] {
  return Object.fromEntries(
    Object.entries(alarms).map(([name, { counted: _counted, of: _of, ...state }]) => [name, state]),
  );
}

function sorted<T>(map: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
