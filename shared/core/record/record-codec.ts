import { INTERRUPTION_CAUSES } from '../events/interruption-causes';
import { type AlarmRecord, EMPTY_RECORD, type HeadroomRecord, type Override, type SurgeRecord, sorted } from './record';

const VERSION = 1;
/** Far more than any record needs, far less than the 256 KiB that an object's annotations may hold. */
const MAX_RECORD = 65_536;
const MAX_QUARANTINED = 4_096;

export interface ReadRecord {
  readonly record: HeadroomRecord;
  /** What could not be read, kept for a person to look at; the size must not fall meanwhile. */
  readonly quarantined?: string;
}

/** Reads the annotation; what is broken or foreign is set aside and the rest still counts. */
export function readRecord(text: string | undefined): ReadRecord {
  if (text === undefined || text === '') return { record: EMPTY_RECORD };
  const raw = text.length > MAX_RECORD ? undefined : parseJson(text);
  if (!isObject(raw) || raw.v !== VERSION) return { record: EMPTY_RECORD, quarantined: text.slice(0, MAX_QUARANTINED) };

  const broken: Record<string, unknown> = {};
  const { v: _version, override: rawOverride, alarms: rawAlarms, surges: rawSurges, ...unknown } = raw;
  Object.assign(broken, unknown);
  const override = rawOverride === undefined ? undefined : readOverride(rawOverride);
  if (rawOverride !== undefined && !override) broken.override = rawOverride;
  const alarms = readEntries(rawAlarms, readAlarm, (left) => Object.assign(broken, { alarms: left }));
  const surges = readEntries(rawSurges, readSurge, (left) => Object.assign(broken, { surges: left }));

  const record: HeadroomRecord = { ...(override && { override }), alarms, surges };
  if (Object.keys(broken).length === 0) return { record };
  return { record, quarantined: JSON.stringify(broken).slice(0, MAX_QUARANTINED) };
}

/** Writes the record so that `kubectl describe` shows it to a person: times in ISO, keys in order. */
export function writeRecord(record: HeadroomRecord): string {
  const { override, alarms, surges } = sorted(record);
  return JSON.stringify({
    v: VERSION,
    ...(override && { override: { ...override, until: iso(override.until), at: iso(override.at) } }),
    alarms: mapValues(alarms, ({ state, at, ended }) => ({
      state,
      at: iso(at),
      ...(ended !== undefined && { ended: iso(ended) }),
    })),
    surges: mapValues(surges, ({ cause, until }) => ({ cause, until: iso(until) })),
  });
}

function readOverride(raw: unknown): Override | undefined {
  if (!isObject(raw)) return undefined;
  const { mode, replicas, by, reason } = raw;
  const [until, at] = [time(raw.until), time(raw.at)];
  if (mode !== 'atLeast' && mode !== 'exactly') return undefined;
  if (typeof replicas !== 'number' || !Number.isInteger(replicas) || replicas < 0) return undefined;
  if (until === undefined || at === undefined || typeof by !== 'string' || typeof reason !== 'string') return undefined;
  return { mode, replicas, until, at, by, reason };
}

function readAlarm(raw: unknown): AlarmRecord | undefined {
  if (!isObject(raw)) return undefined;
  const { state } = raw;
  const [at, ended] = [time(raw.at), time(raw.ended)];
  if ((state !== 'ALARM' && state !== 'OK' && state !== 'INSUFFICIENT_DATA') || at === undefined) return undefined;
  if (raw.ended !== undefined && ended === undefined) return undefined;
  return { state, at, ...(ended !== undefined && { ended }) };
}

function readSurge(raw: unknown): SurgeRecord | undefined {
  if (!isObject(raw)) return undefined;
  const until = time(raw.until);
  const cause = INTERRUPTION_CAUSES.find((known) => known === raw.cause);
  return until === undefined || !cause ? undefined : { cause, until };
}

function readEntries<T>(
  raw: unknown,
  read: (entry: unknown) => T | undefined,
  setAside: (left: unknown) => void,
): Record<string, T> {
  if (raw === undefined) return {};
  if (!isObject(raw)) {
    setAside(raw);
    return {};
  }
  const [good, left]: [Record<string, T>, Record<string, unknown>] = [{}, {}];
  for (const [key, entry] of Object.entries(raw)) {
    const value = read(entry);
    if (value === undefined) left[key] = entry;
    else good[key] = value;
  }
  if (Object.keys(left).length > 0) setAside(left);
  return good;
}

function time(value: unknown): number | undefined {
  const parsed = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(parsed) ? undefined : parsed;
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}

function mapValues<T, U>(map: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
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
