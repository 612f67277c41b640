import { isTooDeep } from '../basics/depth';
import { LAST_TIME, MAX_COUNTED, MAX_RECORD, MAX_UNKNOWN } from '../basics/record-limits';
import { type Codec, isObject, object, optional, value } from './fields';
import { isStart } from './node-starts';
import {
  type AlarmRecord,
  type AnnouncedRecord,
  type CountRecord,
  EMPTY_RECORD,
  type HeadroomRecord,
  type NodeCount,
  type Override,
  type Release,
  type RequestRecord,
  type SurgeRecord,
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

const TEXT = value((raw) => typeof raw === 'string');
const COUNT = value(isCount);
const NODES = value((raw): raw is number => isCount(raw) && raw <= MAX_COUNTED);
const TIME: Codec<number> = { write: (at) => new Date(at).toISOString(), read: time, bare: (at) => at };

const NODE_COUNT = { nodes: NODES, at: TIME, assumed: optional(COUNT) };
const OVERRIDE = object<Override>({
  mode: value((raw) => raw === 'atLeast' || raw === 'exactly' || raw === 'addNodes'),
  replicas: COUNT,
  counted: optional(object<NodeCount>(NODE_COUNT)),
  until: TIME,
  at: TIME,
  by: TEXT,
  reason: TEXT,
});
const RELEASE = object<Release>({ at: TIME, by: optional(TEXT), reason: optional(TEXT) });

/** The parts that are maps. */
const ENTRIES = {
  alarms: object<AlarmRecord>({
    state: value((raw) => raw === 'ALARM' || raw === 'OK' || raw === 'INSUFFICIENT_DATA'),
    at: TIME,
    ended: optional(TIME),
  }),
  // Any cause is accepted: a newer version may know more of them.
  surges: object<SurgeRecord>({ cause: TEXT, until: TIME }),
  counts: object<CountRecord>({ ...NODE_COUNT, until: TIME }),
  requests: object<RequestRecord>({
    at: TIME,
    nodes: optional(COUNT),
    took: optional(COUNT),
    ready: optional(TIME),
    why: optional(TEXT),
  }),
  nodeStarts: value((raw) => typeof raw === 'number'),
  announced: object<AnnouncedRecord>({ at: TIME, from: optional(TIME), to: optional(TIME) }, isPeakOrCancellation),
};
type Map = keyof typeof ENTRIES;
const MAPS = Object.keys(ENTRIES) as readonly Map[];

/** Reads the annotation. Broken parts are quarantined, unknown fields are kept, and the rest still counts. */
export function readRecord(text: string | undefined): ReadRecord {
  if (text === undefined || text === '') return { record: EMPTY_RECORD };
  const raw = text.length > MAX_RECORD ? undefined : parseJson(text);
  if (!isObject(raw) || raw.v !== VERSION || isTooDeep(raw))
    return { record: EMPTY_RECORD, quarantined: text.slice(0, MAX_QUARANTINED), lostCounts: true };

  const { v: _version, override, released, ...rest } = raw;
  const others: Record<string, unknown> = rest;
  const broken: Record<string, unknown> = {};
  const record: Record<string, unknown> = { ...EMPTY_RECORD };
  for (const [key, part, codec] of [
    ['override', override, OVERRIDE],
    ['released', released, RELEASE],
  ] as const) {
    const read = codec.read(part);
    if (read !== undefined) record[key] = read;
    else if (part !== undefined) broken[key] = part;
  }
  for (const key of MAPS) {
    const map = others[key];
    delete others[key];
    if (map === undefined) continue;
    const { read, left } = readMap(key, map);
    record[key] = read;
    if (left !== undefined) broken[key] = left;
  }
  if (JSON.stringify(others).length > MAX_UNKNOWN) broken.unknown = others;
  else if (Object.keys(others).length > 0) record.unknown = others;
  const known = record as unknown as HeadroomRecord;
  if (Object.keys(broken).length === 0) return { record: known };
  return {
    record: known,
    quarantined: JSON.stringify(broken).slice(0, MAX_QUARANTINED),
    ...(Object.hasOwn(broken, 'counts') && { lostCounts: true }),
  };
}

/** The entries that can be read, and what is left to quarantine. */
function readMap(key: Map, map: unknown): { readonly read: object; readonly left?: unknown } {
  if (!isObject(map)) return { read: {}, left: map };
  const entries = Object.entries(map).map(([name, raw]) => {
    const entry = key === 'nodeStarts' && !isStart(name, raw) ? undefined : ENTRIES[key].read(raw);
    return { name, raw, entry };
  });
  const isBroken = ({ entry }: (typeof entries)[number]) => entry === undefined;
  const left = entries.filter(isBroken).map(({ name, raw }) => [name, raw]);
  return {
    read: Object.fromEntries(entries.filter((one) => !isBroken(one)).map(({ name, entry }) => [name, entry])),
    ...(left.length > 0 && { left: key === 'nodeStarts' ? map : Object.fromEntries(left) }),
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
  const { requests: _requests, nodeStarts: _nodeStarts, ...counting } = known;
  yield counting;
  let surges = Object.entries(known.surges).sort(([a, x], [b, y]) => y.until - x.until || (a < b ? -1 : 1));
  for (; surges.length > 0; surges = surges.slice(0, surges.length / 2))
    yield { ...counting, surges: Object.fromEntries(surges) };
  yield { ...counting, surges: {} };
  // CloudWatch is read again for the alarms' states, and lost counts are counted again. An override always fits.
  yield { ...counting, alarms: {}, surges: {} };
  const { counts: _counts, ...overridden } = counting;
  yield { ...overridden, alarms: {}, surges: {} };
}

function recordText(record: HeadroomRecord): string {
  const { override, released, unknown } = record;
  return JSON.stringify({
    v: VERSION,
    ...(override && { override: OVERRIDE.write(override) }),
    ...(released && { released: RELEASE.write(released) }),
    ...mapsOf(record, (codec, entry) => codec.write(entry)),
    ...unknown,
  });
}

function withoutUnknown(record: HeadroomRecord): HeadroomRecord {
  const { override, released } = record;
  return {
    ...(override && { override: OVERRIDE.bare(override) }),
    ...(released && { released: RELEASE.bare(released) }),
    ...(mapsOf(record, (codec, entry) => codec.bare(entry)) as Pick<HeadroomRecord, Map>),
  };
}

/** The maps with their entries changed and their keys in order. */
function mapsOf(record: HeadroomRecord, change: (codec: Codec<unknown>, entry: unknown) => unknown): object {
  return Object.fromEntries(
    MAPS.flatMap((key) => {
      const entries = Object.entries<unknown>(record[key] ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
      const changed = entries.map(([name, entry]) => [name, change(ENTRIES[key] as Codec<unknown>, entry)]);
      return record[key] === undefined ? [] : [[key, Object.fromEntries(changed)]];
    }),
  );
}

function isPeakOrCancellation({ from, to }: AnnouncedRecord): boolean {
  return from === undefined || to === undefined ? from === to : to > from;
}

function isCount(raw: unknown): raw is number {
  return typeof raw === 'number' && Number.isInteger(raw) && raw >= 0;
}

/** From 1970 to `LAST_TIME`, so that adding a hold still gives a valid date. */
function time(raw: unknown): number | undefined {
  const parsed = typeof raw === 'string' ? Date.parse(raw) : Number.NaN;
  return parsed >= 0 && parsed <= LAST_TIME ? parsed : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
