import { isTooDeep } from '../basics/depth';
import { isObject, parseJson } from '../basics/json';
import { MAX_RECORD, MAX_UNKNOWN } from '../basics/record-limits';
import { ANNOTATIONS } from '../manifests/annotations';
import type { Part } from './field-codecs';
import type { Decided } from './last-decided';
import { EMPTY_RECORD, type HeadroomRecord, PARTS } from './record';

const VERSION = 1;
const MAX_QUARANTINED = 4_096;
const ROWS = Object.entries(PARTS as unknown as Readonly<Record<keyof typeof PARTS, Part<unknown>>>) as readonly [
  keyof typeof PARTS,
  Part<unknown>,
][];

export interface ReadRecord {
  readonly record: HeadroomRecord;
  /** What could not be read, kept for a person to inspect; the size is held meanwhile. */
  readonly quarantined?: string;
  /** The counts of occurrences are part of what could not be read. */
  readonly lostCounts?: true;
  /** So are states of alarms, with the counts that they added to. */
  readonly lostAlarms?: true;
  /** So is which NodePool it is about. */
  readonly lostNodePool?: true;
}

/** What the Deployment says of earlier intents. */
export interface StoredRecord {
  readonly record: HeadroomRecord;
  /** The part of the annotation that cannot be read, kept for a person to inspect. */
  readonly quarantined: string | undefined;
  /** The counts were in a part that cannot be read, or somebody removed the record. */
  readonly lostCounts: boolean;
  /** So were the counts of alarms. */
  readonly lostAlarms: boolean;
  /** Nobody knows which NodePool it is about. */
  readonly lostNodePool: boolean;
}

/** Reads the record of a Deployment. */
export function readStored(current: Pick<Decided, 'annotations'> | undefined): StoredRecord {
  const annotation = current?.annotations[ANNOTATIONS.record];
  const read = readRecord(annotation);
  // Every write carries a record, so that a Deployment without one has lost it.
  const isGone = current !== undefined && !annotation;
  return {
    record: read.record,
    quarantined: read.quarantined ?? current?.annotations[ANNOTATIONS.quarantined],
    lostCounts: isGone || read.lostCounts === true,
    lostAlarms: isGone || read.lostAlarms === true,
    lostNodePool: read.record === EMPTY_RECORD || read.lostNodePool === true,
  };
}

/** Reads the annotation. Broken parts are quarantined, unknown fields are kept, and the rest still counts. */
export function readRecord(text: string | undefined): ReadRecord {
  if (text === undefined || text === '') return { record: EMPTY_RECORD };
  const raw = text.length > MAX_RECORD ? undefined : parseJson(text);
  if (!isObject(raw) || raw.v !== VERSION || isTooDeep(raw))
    return { record: EMPTY_RECORD, quarantined: text.slice(0, MAX_QUARANTINED), lostCounts: true, lostAlarms: true };

  const { v: _version, ...rest } = raw;
  const others: Record<string, unknown> = rest;
  const broken: Record<string, unknown> = {};
  const record: Record<string, unknown> = { ...EMPTY_RECORD };
  for (const [key, part] of ROWS) {
    if (others[key] !== undefined) {
      const { read, left } = part.split(others[key]);
      if (read !== undefined) record[key] = read;
      if (left !== undefined) broken[key] = left;
    }
    delete others[key];
  }
  if (JSON.stringify(others).length > MAX_UNKNOWN) broken.unknown = others;
  else if (Object.keys(others).length > 0) record.unknown = others;
  const known = record as unknown as HeadroomRecord;
  if (Object.keys(broken).length === 0) return { record: known };
  return {
    record: known,
    quarantined: JSON.stringify(broken).slice(0, MAX_QUARANTINED),
    ...(Object.hasOwn(broken, 'counts') && { lostCounts: true }),
    ...(Object.hasOwn(broken, 'alarms') && { lostAlarms: true }),
    ...(Object.hasOwn(broken, 'nodePool') && { lostNodePool: true }),
  };
}

/** Writes the record so that a person can read it in `kubectl describe`: times in ISO, keys in order. */
export function writeRecord(record: HeadroomRecord): string {
  // A record that is too long could not be read again, so the least important parts go first.
  let text = '';
  for (const smaller of everSmaller(record)) {
    text = JSON.stringify({ v: VERSION, ...partsOf(smaller, (part, value) => part.write(value)), ...smaller.unknown });
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
  const known = partsOf(record, (part, value) => part.bare(value)) as unknown as HeadroomRecord;
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

/** The parts that the record has, changed one by one. */
function partsOf(record: HeadroomRecord, change: (part: Part<unknown>, value: unknown) => unknown): object {
  return Object.fromEntries(
    ROWS.flatMap(([key, part]) => (record[key] === undefined ? [] : [[key, change(part, record[key])]])),
  );
}
