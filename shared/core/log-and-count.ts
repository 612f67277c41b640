import type { HeadroomOutcome } from './apply/apply-decision';
import { isOwnAnnotation } from './apply/contested-field';
import { failureText } from './basics/failures';
import { MAX_PEAKS } from './basics/record-limits';
import type { ReadEvents } from './intents/collect-intents';
import { IMAGE_VOLUMES_SINCE } from './manifests/pause-deployment';
import type { Observed } from './observe/observe';
import { startIn } from './occurrences/occurrence-key';
import { unreadyOccurrences } from './occurrences/requests';
import type { Outcome } from './outcome';
import type { Counted, HeadroomFigures, Log, Metrics, Ports, Runtime } from './ports/ports';
import { isExactly } from './record/record';
import type { Taken } from './taken/taken';

const DAY = 86_400_000;
/** Enough to find them, and bounded. */
const MAX_LISTED = 50;

/** Reports overrides, rejected events, and events about alarms and instances that are not ours. */
export function reportEvents(
  { events, rejected, unread }: ReadEvents,
  { ports: { log, metrics }, accepts }: Pick<Runtime, 'ports' | 'accepts'>,
): void {
  for (const { event } of events) if (event.kind === 'override') log.info('override received', { ...event });
  // Whoever sent a request gets the answer: a typing error must not page anybody.
  if (rejected.length > 0 && accepts !== 'override') metrics.count('rejectedEvents', rejected.length);
  for (const { reason, excerpt } of rejected) log.error('event rejected', { reason, event: excerpt });
  const foreign = events.flatMap((one) => one.foreign);
  if (foreign.length > 0) metrics.count('foreignEvents', foreign.length);
  reportNotices(events, log);
  for (const { event, foreign } of events)
    if (event.kind === 'alarm' && foreign.length > 0) log.info('alarm not configured', { alarmName: event.alarmName });
  if (unread) {
    metrics.count('errors', 1);
    log.error('processing failed', { reason: failureText(unread) });
  }
}

/** The record keeps only as many notices as can count, so that how many nodes they concern is in no other place. */
function reportNotices(events: ReadEvents['events'], log: Log): void {
  const nodes = new Map<string, Set<string>>();
  for (const intent of events.flatMap(({ intents }) => intents))
    if (intent.kind === 'surge')
      nodes.set(intent.headroom, (nodes.get(intent.headroom) ?? new Set()).add(intent.instanceId));
  for (const [headroom, { size }] of nodes) log.info('nodes are about to be interrupted', { headroom, nodes: size });
}

export function reportOutcome(outcome: Outcome, seen: Observed, { log, metrics }: Ports): void {
  for (const one of outcome.headrooms) {
    const { headroom, change, from, replicas, reasons, drift, unreadable, contested, record } = one;
    if (unreadable !== undefined) log.error('record unreadable', { headroom, unreadable });
    if (contested?.isNew)
      log.error('field contested', { headroom, field: contested.field, by: contested.by ?? 'unknown' });
    if (change === 'none') continue;
    const drifted = drift !== undefined && !isOwnAnnotation(drift) && { drift };
    const surges = Object.keys(record.surges).length;
    const intents = { ...(surges > 0 && { surges }), ...(record.counts && { counts: record.counts }) };
    log.info('headroom decided', { headroom, change, from, to: replicas, reasons, ...intents, ...drifted });
  }
  for (const { headroom, countedLate, record } of outcome.headrooms)
    if (countedLate.length > 0)
      log.warn('nodes counted after the occurrence began, so nodes that it already added may count twice', {
        headroom,
        windows: countedLate,
        counts: record.counts,
      });
  count('unreadableRecords', outcome, ({ unreadable }) => unreadable !== undefined, metrics);
  count('contestedFields', outcome, ({ contested }) => contested !== undefined, metrics);
  reportLive(outcome, seen, log, metrics);
  count('missingNodePools', outcome, ({ noSuchNodePool }) => noSuchNodePool === true, metrics);
  if (outcome.leftovers.length > 0)
    log.warn('headroom left over, the next deploy removes it', { names: outcome.leftovers });
  for (const name of outcome.removed) log.info('headroom removed', { name });
  for (const one of outcome.headrooms) reportUse(one, outcome.at, log);
  metrics.headroom(outcome.headrooms.map((one) => figuresOf(outcome.at, one)));
  if (seen.minor !== undefined && seen.minor < IMAGE_VOLUMES_SINCE) warnColdImages(seen.minor, log);
  if (outcome.failures.length === 0) return;
  metrics.count('errors', 1);
  log.error('processing failed', { reason: outcome.failures.map(failureText).join('; ') });
}

/**
 * Announced peaks that a NodePool has no room for. Reported before the write that drops them: if its answer is lost, the
 * next try no longer finds them. A try that a conflict repeats reports only what is new.
 */
export function reportDropped(
  headroom: string,
  droppedPeaks: readonly string[],
  { log, metrics }: Ports,
  reported: Set<string>,
): void {
  const peaks = droppedPeaks.filter((peak) => !reported.has(`${headroom} ${peak}`));
  if (peaks.length === 0) return;
  for (const peak of peaks) reported.add(`${headroom} ${peak}`);
  metrics.count('rejectedEvents', peaks.length);
  log.error('announced peaks dropped', { headroom, most: MAX_PEAKS, peaks: peaks.slice(0, MAX_LISTED) });
}

/**
 * A problem is counted for each NodePool that it concerns, and logged when it is new: one of the text once for all
 * NodePools, any other when the reasons are written. Notes are counted, but do not ring.
 */
function reportLive(outcome: Outcome, { liveText }: Observed, log: Log, metrics: Metrics): void {
  const refused = outcome.headrooms.filter(({ live }) => live?.news !== undefined);
  const news = { headrooms: refused.map(({ headroom }) => headroom), problem: refused[0]?.live?.news };
  if (refused.length > 0 && liveText?.kind === 'unread') log.warn('live schedules not read', news);
  else if (refused.length > 0) log.error('live schedules do not count', news);
  for (const { headroom, live, change } of outcome.headrooms) {
    if (live?.problem !== undefined && !live.kept?.refused && !live.isUnread && change !== 'none')
      log.error('live schedules do not count', { headrooms: [headroom], problem: live.problem });
    if (live?.notes.length) log.warn('part of the live schedules does not count', { headroom, notes: live.notes });
  }
  count('liveProblems', outcome, ({ live }) => live?.problem !== undefined, metrics);
  count('liveIgnored', outcome, ({ live }) => (live?.notes.length ?? 0) > 0, metrics);
}

function count(
  name: Counted,
  { headrooms }: Outcome,
  isOne: (pool: HeadroomOutcome) => boolean,
  metrics: Metrics,
): void {
  const found = headrooms.filter(isOne).length;
  if (found > 0) metrics.count(name, found);
}

/** What work took, and the verdicts: one line for each occurrence that is ready, and one for each that began without its nodes: they can be counted. */
function reportUse({ headroom, verdicts, taken }: HeadroomOutcome, now: number, log: Log): void {
  if (taken) log.info('work took headroom', { headroom, ...takenFields(taken) });
  for (const { window, start, ready, why } of verdicts) {
    const occurrence = { headroom, window, start: new Date(start).toISOString() };
    if (ready)
      log.info('headroom ready for its window', { ...occurrence, lateBySeconds: secondsAfter(start, now), why });
    else log.warn('window began without its headroom', { ...occurrence, why });
  }
}

function figuresOf(
  now: number,
  { headroom, pool, replicas, ready, record, verdicts, taken }: HeadroomOutcome,
): HeadroomFigures {
  // Occurrences that have begun and whose nodes have not been ready since they were requested.
  const unready = unreadyOccurrences(record, pool, now).filter(({ occurrence }) => occurrence.start <= now);
  const late = isExactly(record, now) ? [] : unready;
  const starts = [...verdicts.filter((one) => one.ready), ...late.map(({ occurrence }) => occurrence)];
  // Said for a day, as 0 in the end, so that the alarm resolves; silent otherwise, because a metric costs by the hour.
  const wasLate = Object.entries(record.requests ?? {}).some(([key, { why }]) => why && startIn(key) > now - DAY);
  return {
    headroom,
    desired: replicas,
    ready,
    ...((unready.length > 0 || wasLate) && { late: Math.max(0, ...late.map(({ wanted }) => wanted - ready)) }),
    ...(taken && { taken: taken.units }),
    ...(starts.length > 0 && { lateBySeconds: Math.max(...starts.map(({ start }) => secondsAfter(start, now))) }),
  };
}

function takenFields({ units, pods, since, until }: Taken) {
  return { units, pods, since: new Date(since).toISOString(), until: new Date(until).toISOString() };
}

function secondsAfter(start: number, now: number): number {
  return Math.max(0, Math.round((now - start) / 1_000));
}

function warnColdImages(minor: number, log: Log): void {
  log.warn('warmImages left out: image volumes need a newer Kubernetes', {
    kubernetes: `1.${minor}`,
    needs: `1.${IMAGE_VOLUMES_SINCE}`,
  });
}
