import type { WrittenPeaks } from './expected-peaks';

/** The record as its annotation shows it: times are texts. */
export interface WrittenRecord {
  readonly v?: unknown;
  readonly nodePool?: string;
  readonly override?: WrittenOverride;
  readonly released?: WrittenRelease;
  readonly alarms: Readonly<Record<string, WrittenAlarm>>;
  readonly surges: Readonly<Record<string, WrittenSurge>>;
  readonly counts: Readonly<Record<string, WrittenCount>>;
  readonly requests: Readonly<Record<string, WrittenRequest>>;
  readonly nodeStarts: Readonly<Record<string, number>>;
  readonly shares: Readonly<Record<string, WrittenShare>>;
  readonly announced?: WrittenPeaks;
  readonly takenUntil?: string;
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
  readonly share?: number;
  readonly of?: WrittenShareOf;
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
  readonly counted?: Omit<WrittenCount, 'until'>;
  readonly of?: WrittenShareOf;
}

/** What a share is taken of. */
export interface WrittenShareOf {
  readonly replicas: number;
  readonly at: string;
}

export interface WrittenShare extends WrittenShareOf {
  readonly until: string;
}

export interface WrittenSurge {
  readonly cause: string;
  readonly until: string;
}

export interface WrittenCount {
  readonly nodes: number;
  readonly at: string;
  readonly until: string;
  readonly assumed?: number;
}

export interface WrittenRequest {
  readonly at: string;
  readonly nodes?: number;
  readonly took?: number;
  readonly ready?: string;
  readonly why?: string;
}

type Parts = Readonly<Record<string, unknown>>;

const EMPTY: WrittenRecord = {
  ...{ alarms: {}, surges: {}, counts: {}, requests: {}, nodeStarts: {}, shares: {} },
  broken: false,
};

/** What the manual edits of a scenario write in the place of a value; it is right nowhere. */
export const WRONG = { texts: ['soon', 'many'], number: -1, fraction: 7.5 } as const;

const MAPS = ['alarms', 'surges', 'counts', 'requests', 'nodeStarts', 'shares', 'announced'];

/** What an annotation holds, without the parts that the manual edits of a scenario have broken. */
export function writtenRecord(text: string | undefined): WrittenRecord {
  if (text === undefined || text === '') return EMPTY;
  const raw = parsed(text);
  if (raw?.v !== 1) return { ...EMPTY, broken: true };
  const known = Object.entries(raw).flatMap(([key, part]) => {
    if (part === WHOLE_PART) return [];
    if (!MAPS.includes(key)) return isWrong(part) ? [] : [[key, part] as const];
    return [[key, Object.fromEntries(Object.entries(part as Parts).filter(([, entry]) => !isWrong(entry)))] as const];
  });
  const readable = Object.fromEntries(known);
  return { ...EMPTY, ...readable, broken: JSON.stringify(readable) !== JSON.stringify(raw) } as WrittenRecord;
}

/** What was kept for another NodePool does not count, and an override that counted its nodes counts again. */
export function recordFor(
  { name, nodePool }: { readonly name: string; readonly nodePool: string },
  record: WrittenRecord,
): WrittenRecord {
  if ((record.nodePool ?? name) === nodePool) return record;
  const override = record.override && { override: without(record.override) };
  const alarms = Object.fromEntries(Object.entries(record.alarms).map(([name, one]) => [name, without(one)]));
  return { ...record, ...override, alarms, counts: {}, surges: {}, nodeStarts: {} };
}

/** What was counted of another workload does not count either. */
export function withoutShares(record: WrittenRecord): WrittenRecord {
  const bare = <T extends { readonly of?: unknown }>({ of: _, ...rest }: T) => rest;
  const alarms = Object.entries(record.alarms).map(([name, one]) => [name, bare(one)]);
  const override = record.override && { override: bare(record.override) };
  return { ...record, ...override, alarms: Object.fromEntries(alarms), shares: {} };
}

function without<T extends { readonly counted?: unknown }>({ counted: _, ...rest }: T): Omit<T, 'counted'> {
  return rest;
}

/** What is kept for a person: the broken entries of each part, or all of it. */
export function brokenText(text: string): string {
  const raw = parsed(text);
  if (raw?.v !== 1) return text.slice(0, MOST_KEPT);
  const broken = PARTS.flatMap((key): [string, unknown][] => {
    const part = raw[key];
    if (part === undefined || (part !== WHOLE_PART && !isWrong(part))) return [];
    if (part === WHOLE_PART || !MAPS.includes(key)) return [[key, part]];
    return [[key, Object.fromEntries(Object.entries(part as Parts).filter(([, entry]) => isWrong(entry)))]];
  });
  return JSON.stringify(Object.fromEntries(broken)).slice(0, MOST_KEPT);
}

const PARTS = ['override', 'released', ...MAPS, 'takenUntil'];
const MOST_KEPT = 4_096;
const WHOLE_PART = 7;

function isWrong(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(isWrong);
  return ([...WRONG.texts, WRONG.number, WRONG.fraction] as readonly unknown[]).includes(value);
}

function parsed(text: string): Parts | undefined {
  try {
    return JSON.parse(text) as Parts;
  } catch {
    return undefined;
  }
}
