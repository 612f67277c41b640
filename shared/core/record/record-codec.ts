import { isTooDeep } from '../basics/depth';
import { LAST_TIME, MAX_COUNTED, MAX_RECORD, MAX_UNKNOWN } from '../basics/record-limits';
import { isStart } from './node-starts';
import {
  type AlarmRecord,
  type AnnouncedRecord,
  type CountRecord,
  EMPTY_RECORD,
  type HeadroomRecord,
  type NodeCount,
  type NodeStarts,
  type Override,
  type Release,
  type RequestRecord,
  type SurgeRecord,
  type Unknown,
} from './record';

const VERSION = 1;
const MAX_QUARANTINED = 4_096;

export interface ReadRecord {
  readonly record: HeadroomRecord;
  /** What could not be read, kept for a person to inspect; the size is held meanwhile. */
  readonly quarantined?: string;
  /** The counts of occurrences are part of what could not be read. */
  readonly lostCounts?: true;
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads the annotation. Broken parts are quarantined, unknown fields are kept, and the rest still counts. */
export function readRecord(text: string | undefined): ReadRecord {
  if (text === undefined || text === '') return { record: EMPTY_RECORD };
  const raw = text.length > MAX_RECORD ? undefined : parseJson(text);
  if (!isObject(raw) || raw.v !== VERSION || isTooDeep(raw))
    return { record: EMPTY_RECORD, quarantined: text.slice(0, MAX_QUARANTINED), lostCounts: true };

  const broken = new Map<string, unknown>();
  const { v: _version, override, released, alarms, surges, openings, asked, nodeStarts, announced, ...rest } = raw;
  const record: HeadroomRecord = {
    ...readPart('override', override, readOverride, broken),
    ...readPart('released', released, readRelease, broken),
    alarms: readEntries('alarms', alarms, readAlarm, broken),
    surges: readEntries('surges', surges, readSurge, broken),
    ...(openings !== undefined && { openings: readEntries('openings', openings, readCountRecord, broken) }),
    ...(asked !== undefined && { asked: readEntries('asked', asked, readRequest, broken) }),
    ...(nodeStarts !== undefined && { nodeStarts: readStarts(nodeStarts, broken) }),
    ...(announced !== undefined && { announced: readEntries('announced', announced, readAnnounced, broken) }),
    ...unknownIn(rest),
  };
  if (JSON.stringify(record.unknown ?? {}).length > MAX_UNKNOWN) broken.set('unknown', record.unknown);
  if (broken.size === 0) return { record };
  const { unknown, ...known } = record;
  return {
    record: broken.has('unknown') ? known : record,
    quarantined: JSON.stringify(Object.fromEntries(broken)).slice(0, MAX_QUARANTINED),
    ...(broken.has('openings') && { lostCounts: true }),
  };
}

/** Writes the record so that a person can read it in `kubectl describe`: times in ISO, keys in order. */
export function writeRecord(record: HeadroomRecord): string {
  // A record that is too long could not be read again, so the least important parts go first.
  let text = '';
  for (const smaller of everSmaller(record)) {
    text = recordText(smaller);
    if (text.length <= MAX_RECORD) break;
  }
  return text;
}

/**
 * First without unknown fields, which is enough for anything that one config can produce. With what functions of
 * another deploy left: without what is only reported, then with fewer and fewer surges.
 */
function* everSmaller(record: HeadroomRecord): Generator<HeadroomRecord> {
  yield record;
  const known = withoutUnknown(record);
  yield known;
  const { asked: _asked, nodeStarts: _nodeStarts, ...counting } = known;
  yield counting;
  let surges = Object.entries(known.surges).sort(([a, x], [b, y]) => y.until - x.until || (a < b ? -1 : 1));
  for (; surges.length > 0; surges = surges.slice(0, surges.length / 2))
    yield { ...counting, surges: Object.fromEntries(surges) };
  yield { ...counting, surges: {} };
  // CloudWatch is read again for the alarms' states, and lost counts are counted again. An override always fits.
  yield { ...counting, alarms: {}, surges: {} };
  const { openings: _openings, ...overridden } = counting;
  yield { ...overridden, alarms: {}, surges: {} };
}

function recordText(record: HeadroomRecord): string {
  const { override, released, alarms, surges, openings, asked, nodeStarts, announced, unknown } = record;
  return JSON.stringify({
    v: VERSION,
    ...(override && { override: writtenOverride(override) }),
    ...(released && { released: written(released, { at: iso(released.at) }) }),
    alarms: writeEntries(alarms, (alarm) =>
      written(alarm, { at: iso(alarm.at), ...(alarm.ended !== undefined && { ended: iso(alarm.ended) }) }),
    ),
    surges: writeEntries(surges, (surge) => written(surge, { until: iso(surge.until) })),
    ...(openings && {
      openings: writeEntries(openings, (one) => written(one, { at: iso(one.at), until: iso(one.until) })),
    }),
    ...(asked && {
      asked: writeEntries(asked, (one) =>
        written(one, { at: iso(one.at), ...(one.ready !== undefined && { ready: iso(one.ready) }) }),
      ),
    }),
    ...(nodeStarts && { nodeStarts }),
    ...(announced && { announced: writeEntries(announced, writtenAnnounced) }),
    ...unknown,
  });
}

function withoutUnknown(record: HeadroomRecord): HeadroomRecord {
  const { override, released, alarms, surges, openings, asked, nodeStarts, announced } = record;
  return {
    ...(override && { override: bareOverride(override) }),
    ...(released && { released: bare(released) }),
    alarms: bareEntries(alarms),
    surges: bareEntries(surges),
    ...(openings && { openings: bareEntries(openings) }),
    ...(asked && { asked: bareEntries(asked) }),
    ...(nodeStarts && { nodeStarts }),
    ...(announced && { announced: bareEntries(announced) }),
  };
}

function bareOverride({ counted, ...override }: Override): Override {
  return { ...bare(override), ...(counted && { counted: bare(counted) }) };
}

function bareEntries<T extends { readonly unknown?: Unknown }>(map: Readonly<Record<string, T>>) {
  return Object.fromEntries(Object.entries(map).map(([key, entry]) => [key, bare(entry)]));
}

function bare<T extends { readonly unknown?: Unknown }>({ unknown: _unknown, ...known }: T): Omit<T, 'unknown'> {
  return known;
}

function written(part: { readonly unknown?: Unknown }, times: Fields): Fields {
  const { unknown, ...known } = part;
  return { ...known, ...times, ...unknown };
}

function writtenOverride(override: Override): Fields {
  const { counted, until, at } = override;
  const times = { until: iso(until), at: iso(at) };
  return written(override, { ...times, ...(counted && { counted: written(counted, { at: iso(counted.at) }) }) });
}

function writtenAnnounced(one: AnnouncedRecord): Fields {
  const { at, from, to } = one;
  const times = from === undefined || to === undefined ? {} : { from: iso(from), to: iso(to) };
  return written(one, { at: iso(at), ...times });
}

function readOverride(raw: Fields): Override | undefined {
  const { mode, replicas, by, reason, until: rawUntil, at: rawAt, counted: rawCount, ...rest } = raw;
  const [until, at] = [time(rawUntil), time(rawAt)];
  const counted = isObject(rawCount) ? readCount(rawCount) : undefined;
  if (mode !== 'atLeast' && mode !== 'exactly' && mode !== 'addNodes') return undefined;
  if (!isCount(replicas) || (rawCount !== undefined && counted === undefined)) return undefined;
  if (until === undefined || at === undefined || typeof by !== 'string' || typeof reason !== 'string') return undefined;
  return { mode, replicas, ...(counted && { counted }), until, at, by, reason, ...unknownIn(rest) };
}

function readCountRecord(raw: Fields): CountRecord | undefined {
  const { until: rawUntil, ...count } = raw;
  const [counted, until] = [readCount(count), time(rawUntil)];
  return counted && until !== undefined ? { ...counted, until } : undefined;
}

function readRequest(raw: Fields): RequestRecord | undefined {
  const { at: rawAt, nodes, took, ready: rawReady, why, ...rest } = raw;
  const [at, ready] = [time(rawAt), time(rawReady)];
  if (at === undefined || !isTextOrAbsent(why) || !isCountOrAbsent(nodes) || !isCountOrAbsent(took)) return undefined;
  if (rawReady !== undefined && ready === undefined) return undefined;
  return {
    at,
    ...(nodes !== undefined && { nodes }),
    ...(took !== undefined && { took }),
    ...(ready !== undefined && { ready }),
    ...(why !== undefined && { why }),
    ...unknownIn(rest),
  };
}

function readAnnounced(raw: Fields): AnnouncedRecord | undefined {
  const { at: rawAt, from: rawFrom, to: rawTo, ...rest } = raw;
  const [at, from, to] = [time(rawAt), time(rawFrom), time(rawTo)];
  if (at === undefined) return undefined;
  if (rawFrom === undefined && rawTo === undefined) return { at, ...unknownIn(rest) };
  return from === undefined || to === undefined || to <= from ? undefined : { at, from, to, ...unknownIn(rest) };
}

function readStarts(raw: unknown, broken: Map<string, unknown>): NodeStarts {
  const entries = isObject(raw) ? Object.entries(raw) : undefined;
  const read = (entries ?? []).flatMap(([key, value]) => (isStart(key, value) ? [[key, value] as const] : []));
  if (read.length !== entries?.length) broken.set('nodeStarts', raw);
  return Object.fromEntries(read);
}

function readCount({ nodes, at: rawAt, assumed, ...rest }: Fields): NodeCount | undefined {
  const at = time(rawAt);
  if (!isCount(nodes) || nodes > MAX_COUNTED || at === undefined) return undefined;
  return { nodes, at, ...(assumed === true && { assumed }), ...unknownIn(rest) };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function isCountOrAbsent(value: unknown): value is number | undefined {
  return value === undefined || isCount(value);
}

function readRelease(raw: Fields): Release | undefined {
  const { at: rawAt, by, reason, ...rest } = raw;
  const at = time(rawAt);
  if (at === undefined || !isTextOrAbsent(by) || !isTextOrAbsent(reason)) return undefined;
  return { at, ...(by !== undefined && { by }), ...(reason !== undefined && { reason }), ...unknownIn(rest) };
}

function readAlarm(raw: Fields): AlarmRecord | undefined {
  const { state, at: rawAt, ended: rawEnded, ...rest } = raw;
  const [at, ended] = [time(rawAt), time(rawEnded)];
  if ((state !== 'ALARM' && state !== 'OK' && state !== 'INSUFFICIENT_DATA') || at === undefined) return undefined;
  if (rawEnded !== undefined && ended === undefined) return undefined;
  return { state, at, ...(ended !== undefined && { ended }), ...unknownIn(rest) };
}

/** Any cause is accepted: a newer version may know more of them. */
function readSurge(raw: Fields): SurgeRecord | undefined {
  const { cause, until: rawUntil, ...rest } = raw;
  const until = time(rawUntil);
  return until === undefined || typeof cause !== 'string' ? undefined : { cause, until, ...unknownIn(rest) };
}

function readPart<K extends 'override' | 'released', T>(
  key: K,
  raw: unknown,
  read: (fields: Fields) => T | undefined,
  broken: Map<string, unknown>,
): { [key in K]?: T } {
  if (raw === undefined) return {};
  const value = isObject(raw) ? read(raw) : undefined;
  if (value !== undefined) return { [key]: value } as { [key in K]: T };
  broken.set(key, raw);
  return {};
}

function readEntries<T>(
  key: string,
  raw: unknown,
  read: (fields: Fields) => T | undefined,
  broken: Map<string, unknown>,
): Record<string, T> {
  if (raw === undefined) return {};
  if (!isObject(raw)) {
    broken.set(key, raw);
    return {};
  }
  const entries = Object.entries(raw).map(([name, entry]) => [name, entry, isObject(entry) ? read(entry) : undefined]);
  const left = entries.filter(([, , value]) => value === undefined).map(([name, entry]) => [name, entry]);
  if (left.length > 0) broken.set(key, Object.fromEntries(left));
  return Object.fromEntries(
    entries.filter(([, , value]) => value !== undefined).map(([name, , value]) => [name, value]),
  );
}

function writeEntries<T>(map: Readonly<Record<string, T>>, write: (value: T) => Fields): Record<string, Fields> {
  const entries = Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, value]) => [key, write(value)]));
}

function unknownIn(rest: Fields): { unknown?: Unknown } {
  return Object.keys(rest).length === 0 ? {} : { unknown: rest };
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

/** From 1970 to `LAST_TIME`, so that adding a hold still gives a valid date. */
function time(value: unknown): number | undefined {
  const parsed = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return parsed >= 0 && parsed <= LAST_TIME ? parsed : undefined;
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
