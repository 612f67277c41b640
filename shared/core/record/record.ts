import type { AlarmState } from '../events/event';

/** Fields that this version does not know: a newer one wrote them, so they are kept and passed on. */
export type Unknown = Readonly<Record<string, unknown>>;

/** A person's emergency order: at least, or exactly, so many replicas until a moment in time. */
export interface Override {
  readonly mode: 'atLeast' | 'exactly';
  readonly replicas: number;
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
  readonly unknown?: Unknown;
}

export const EMPTY_RECORD: HeadroomRecord = { alarms: {}, surges: {} };

/** An entry by its name; names come from outside, and some are names of what every object has. */
export function entryOf<T>(map: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}
