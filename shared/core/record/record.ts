import type { AlarmState } from '../events/event';

/** Fields that a newer version wrote; they are kept and passed on. */
export type Unknown = Readonly<Record<string, unknown>>;

/** How many nodes there were. */
export interface NodeCount {
  readonly nodes: number;
  readonly at: number;
  /** The count was lost and is derived from the last decided size; this is the largest size that it may lead to. */
  readonly assumed?: number;
  readonly unknown?: Unknown;
}

/** The count that one occurrence of a relative window adds to, until it ends. */
export interface CountRecord extends NodeCount {
  readonly until: number;
}

/** When an occurrence was requested, with which lead time, and whether its nodes were ready in time. */
export interface RequestRecord {
  readonly at: number;
  /** The basis of a learned lead time: how many nodes were measured, and in how many minutes 95 % of them were ready. */
  readonly nodes?: number;
  readonly took?: number;
  /** When its nodes were first seen to be ready. */
  readonly ready?: number;
  /** Why they were not ready at its start. */
  readonly why?: string;
  readonly unknown?: Unknown;
}

/** How many seconds each of the newest nodes took to start, by creation time and id. */
export type NodeStarts = Readonly<Record<string, number>>;

/** A person's override until a given time: at least, exactly, or nodes to add to those that there are. */
export interface Override {
  readonly mode: 'atLeast' | 'exactly' | 'addNodes';
  readonly replicas: number;
  /** What `addNodes` adds to; absent until the nodes are counted. */
  readonly counted?: NodeCount;
  readonly until: number;
  readonly at: number;
  /** As claimed by the caller: a Lambda invoke carries no identity. */
  readonly by: string;
  readonly reason: string;
  readonly unknown?: Unknown;
}

/** The end of the last override: who released it, and when. It keeps a late, older override from coming back. */
export interface Release {
  readonly at: number;
  /** Absent if the override expired. */
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
  /** The name of its source in `interruptions.on`. */
  readonly cause: string;
  readonly until: number;
  readonly unknown?: Unknown;
}

/** The newest message about an announced peak: from when to when it lasts; neither if it was taken back. */
export interface AnnouncedRecord {
  readonly at: number;
  readonly from?: number;
  readonly to?: number;
  readonly unknown?: Unknown;
}

/**
 * The recorded intents of one headroom, keyed by cause, so that one cause can never count twice. Its keys are the JSON
 * keys of the annotation: `counts` and `requests` are by window name and start; `announced`
 * is by event name and key.
 */
export interface HeadroomRecord {
  readonly override?: Override;
  readonly released?: Release;
  readonly alarms: Readonly<Record<string, AlarmRecord>>;
  readonly surges: Readonly<Record<string, SurgeRecord>>;
  readonly counts?: Readonly<Record<string, CountRecord>>;
  readonly requests?: Readonly<Record<string, RequestRecord>>;
  readonly nodeStarts?: NodeStarts;
  readonly announced?: Readonly<Record<string, AnnouncedRecord>>;
  readonly unknown?: Unknown;
}

export const EMPTY_RECORD: HeadroomRecord = { alarms: {}, surges: {} };

/** An own entry by name: names come from outside, and may be those of inherited properties. */
export function entryOf<T>(map: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}
