import type { AlarmState } from '../events/event';

/** Fields that this version does not know: a newer one wrote them, so they are kept and passed on. */
export type Unknown = Readonly<Record<string, unknown>>;

/** How many nodes there were. */
export interface NodeCount {
  readonly nodes: number;
  readonly at: number;
  /** The count was lost with an unreadable record, and follows from the size that was decided last. */
  readonly assumed?: true;
  readonly unknown?: Unknown;
}

/** The count that one occurrence of a window with `addNodes` adds to, until it ends. */
export interface CountRecord extends NodeCount {
  readonly until: number;
}

/** One occurrence of a window: when it was asked for, what for, and whether its nodes were ready in time. */
export interface RequestRecord {
  readonly at: number;
  /** What the lead time followed where it is learned: so many nodes were known, and 95 % of them took so many minutes. */
  readonly nodes?: number;
  readonly took?: number;
  /** When its nodes were first seen to be ready. */
  readonly ready?: number;
  /** Why they were not at its start. */
  readonly why?: string;
  readonly unknown?: Unknown;
}

/** How many seconds a node took, by its creation and id: the newest ones, each once. */
export type NodeStarts = Readonly<Record<string, number>>;

/** A person's emergency order: at least, exactly, or so many more nodes than there are, until a moment in time. */
export interface Override {
  readonly mode: 'atLeast' | 'exactly' | 'addNodes';
  readonly replicas: number;
  /** What `addNodes` adds to; absent until somebody has counted. */
  readonly counted?: NodeCount;
  readonly until: number;
  readonly at: number;
  /** As claimed by the caller: a Lambda invoke carries no identity. */
  readonly by: string;
  readonly reason: string;
  readonly unknown?: Unknown;
}

/** The last word on overrides once none stands: who ended it, and when. An older order that comes late finds it. */
export interface Release {
  readonly at: number;
  /** Absent where an override ended by itself. */
  readonly by?: string;
  readonly reason?: string;
  readonly unknown?: Unknown;
}

/** The newest known state of an alarm. */
export interface AlarmRecord {
  readonly state: AlarmState;
  readonly at: number;
  /** When it last left ALARM; the hold counts from here. */
  readonly ended?: number;
  readonly unknown?: Unknown;
}

export interface SurgeRecord {
  /** The word of its source in `interruptions.on`. */
  readonly cause: string;
  readonly until: number;
  readonly unknown?: Unknown;
}

/** The recorded intents of one headroom, keyed by cause, so that one cause can never count twice. */
export interface HeadroomRecord {
  readonly override?: Override;
  readonly released?: Release;
  readonly alarms: Readonly<Record<string, AlarmRecord>>;
  readonly surges: Readonly<Record<string, SurgeRecord>>;
  /** By window name and start. */
  readonly openings?: Readonly<Record<string, CountRecord>>;
  /** By window name and start, likewise: what is asked for, and the last ones. */
  readonly asked?: Readonly<Record<string, RequestRecord>>;
  readonly nodeStarts?: NodeStarts;
  readonly unknown?: Unknown;
}

export const EMPTY_RECORD: HeadroomRecord = { alarms: {}, surges: {} };

/** An entry by its name; names come from outside, and some are names of what every object has. */
export function entryOf<T>(map: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}
