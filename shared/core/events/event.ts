import type { InterruptionCause } from './causes';

export type AlarmState = 'ALARM' | 'OK' | 'INSUFFICIENT_DATA';

/** A schedule edge, the heartbeat or a deploy: nothing to record, only a reason to look. */
export interface TickEvent {
  readonly kind: 'tick';
  readonly trigger: 'edge' | 'heartbeat' | 'deploy';
  /** When the schedule was due; absent where the sender does not say. */
  readonly at?: number;
}

/** A CloudWatch alarm, metric or composite, moved to another state. */
export interface AlarmEvent {
  readonly kind: 'alarm';
  readonly alarmName: string;
  readonly state: AlarmState;
  readonly previous?: AlarmState;
  /** The timestamp of the state itself, not of the delivery. */
  readonly at: number;
}

/** Instances that are about to be taken away. */
export interface InterruptionEvent {
  readonly kind: 'interruption';
  readonly cause: InterruptionCause;
  readonly instanceIds: readonly string[];
  readonly at: number;
}

export type HeadstartEvent = TickEvent | AlarmEvent | InterruptionEvent;
