export type AlarmState = 'ALARM' | 'OK' | 'INSUFFICIENT_DATA';

/** A window edge, the heartbeat or a deploy: nothing to record, only a reason to reconcile. */
export interface TickEvent {
  readonly kind: 'tick';
  readonly trigger: 'edge' | 'heartbeat' | 'deploy';
  /** When the schedule was due; absent if the sender leaves it out. */
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

export interface InterruptionEvent {
  readonly kind: 'interruption';
  /** The name of its source in `interruptions.on`. */
  readonly cause: string;
  readonly instanceIds: readonly string[];
  readonly at: number;
}

/** An override or release that a person sent, not yet checked against the config. The log prints it with these keys. */
export interface OverrideEvent {
  readonly kind: 'override';
  /** `*` means all; absent if none is named. */
  readonly headroom: string | undefined;
  readonly ask: OverrideRequest | ReleaseRequest;
}

export interface ReleaseRequest {
  readonly kind: 'release';
  readonly at: number;
  readonly by: string;
  readonly reason: string;
}

export interface OverrideRequest {
  readonly kind: 'override';
  readonly mode: 'atLeast' | 'exactly' | 'addNodes';
  readonly replicas: number;
  /** Instead of `replicas`, in per cent of a workload's replicas. */
  readonly share?: number;
  readonly until: number;
  readonly at: number;
  /** As claimed by the caller: a Lambda invoke carries no identity. */
  readonly by: string;
  readonly reason: string;
}

/** A peak that an event of the business announced, or took back. */
export interface AnnouncementEvent {
  readonly kind: 'announcement';
  readonly headroom: string;
  /** Its name in `events` of the NodePool. */
  readonly event: string;
  /** Absent if the config does not name the event any more. */
  readonly peak?: Announced;
}

/** The key of a peak, when the message is of, and from when to when; neither if the message takes the peak back. */
export interface Announced {
  readonly key: string;
  readonly at: number;
  readonly from?: number;
  readonly to?: number;
}

export type HeadstartEvent = TickEvent | AlarmEvent | InterruptionEvent | OverrideEvent | AnnouncementEvent;
