import type { AlarmState } from '../events/event';

/** A person's emergency order: at least, or exactly, so many replicas until a moment in time. */
export interface Override {
  readonly mode: 'atLeast' | 'exactly';
  readonly replicas: number;
  readonly until: number;
  readonly at: number;
  /** As claimed by the caller: a Lambda invoke carries no identity. */
  readonly by: string;
  readonly reason: string;
}

/** The newest known state of an alarm. */
export interface AlarmRecord {
  readonly state: AlarmState;
  readonly at: number;
  /** When it last left ALARM; the hold counts from here. */
  readonly ended?: number;
}

export interface SurgeRecord {
  readonly cause: string;
  readonly until: number;
}

/** The recorded intents of one headroom, keyed by cause, so that one cause can never count twice. */
export interface HeadroomRecord {
  readonly override?: Override;
  readonly alarms: Readonly<Record<string, AlarmRecord>>;
  readonly surges: Readonly<Record<string, SurgeRecord>>;
}

export const EMPTY_RECORD: HeadroomRecord = { alarms: {}, surges: {} };

/** Keys in order, so that equal records are equal texts. */
export function sorted({ override, alarms, surges }: HeadroomRecord): HeadroomRecord {
  return { ...(override && { override }), alarms: byKey(alarms), surges: byKey(surges) };
}

function byKey<T>(map: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
}
