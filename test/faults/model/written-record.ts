import type { WrittenPeaks } from './expected-peaks';

/** The record as its annotation shows it: times are texts. */
export interface WrittenRecord {
  readonly v?: unknown;
  readonly override?: WrittenOverride;
  readonly released?: WrittenRelease;
  readonly alarms: Readonly<Record<string, WrittenAlarm>>;
  readonly surges: Readonly<Record<string, WrittenSurge>>;
  readonly openings: Readonly<Record<string, WrittenCount>>;
  readonly asked: Readonly<Record<string, WrittenRequest>>;
  readonly nodeStarts: Readonly<Record<string, number>>;
  readonly announced?: WrittenPeaks;
  /** Whether a part of it, or all of it, cannot be read. */
  readonly broken: boolean;
}

export interface WrittenOverride {
  readonly mode: 'atLeast' | 'exactly' | 'addNodes';
  readonly replicas: number;
  readonly at: string;
  readonly until: string;
  readonly by: string;
  readonly reason: string;
  readonly counted?: Omit<WrittenCount, 'until'>;
}

export interface WrittenRelease {
  readonly at: string;
  readonly by?: string;
  readonly reason?: string;
}

export interface WrittenAlarm {
  readonly state: string;
  readonly at: string;
  readonly ended?: string;
}

export interface WrittenSurge {
  readonly cause: string;
  readonly until: string;
}

export interface WrittenCount {
  readonly nodes: number;
  readonly at: string;
  readonly until: string;
  readonly assumed?: boolean;
}

export interface WrittenRequest {
  readonly at: string;
  readonly nodes?: number;
  readonly took?: number;
  readonly ready?: string;
  readonly why?: string;
}

type Parts = Readonly<Record<string, unknown>>;

const EMPTY: WrittenRecord = { alarms: {}, surges: {}, openings: {}, asked: {}, nodeStarts: {}, broken: false };
const MODES: readonly unknown[] = ['atLeast', 'exactly', 'addNodes'];

/** What an annotation holds, without the parts that the manual edits of a scenario have broken. */
export function writtenRecord(text: string | undefined): WrittenRecord {
  if (text === undefined || text === '') return EMPTY;
  const raw = parsed(text);
  if (raw?.v !== 1) return { ...EMPTY, broken: true };
  const { override, alarms, surges, openings, ...rest } = raw;
  const known = {
    override: MODES.includes((override as Partial<WrittenOverride> | undefined)?.mode) ? override : undefined,
    alarms: alarms === 7 ? undefined : alarms,
    surges: valid(surges, ({ until }) => until !== 'soon'),
    openings: openings === 7 ? undefined : valid(openings, ({ nodes }) => nodes !== 'many'),
  };
  const broken = Object.entries(known).some(
    ([key, value]) => JSON.stringify(value ?? {}) !== JSON.stringify(raw[key] ?? {}),
  );
  const readable = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
  return { ...EMPTY, ...rest, ...readable, broken } as WrittenRecord;
}

function valid(entries: unknown, isValid: (entry: Parts) => boolean): Parts | undefined {
  if (entries === undefined) return undefined;
  return Object.fromEntries(Object.entries(entries as Record<string, Parts>).filter(([, entry]) => isValid(entry)));
}

function parsed(text: string): Parts | undefined {
  try {
    return JSON.parse(text) as Parts;
  } catch {
    return undefined;
  }
}
