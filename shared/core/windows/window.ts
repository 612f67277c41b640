import type { CronFields } from './cron';

interface Named {
  readonly name: string;
  readonly timezone: string;
  readonly replicas: number;
  /** Instead of `replicas`: a share of the workload's replicas when it is requested, in per cent. */
  readonly share?: number;
  /** `replicas` as written, where that is in pods of a workload. */
  readonly pods?: number;
  /** Configured with `addNodes`: `replicas` are added to the nodes that are counted when it is requested. */
  readonly relative?: true;
  /** Edited in the cluster or announced, not deployed. */
  readonly live?: LiveSource;
}

/** Where something comes from that was not deployed, and since when. */
export interface LiveSource {
  readonly since: number;
  readonly by: string;
  /** How much earlier than the lead time it is requested: no schedule fires on its edges, only heartbeats see them. */
  readonly earlyMinutes: number;
  /** An event announced it; otherwise somebody edited the live schedules. */
  readonly announced?: true;
}

/** KEDA-style window: open from each start until the first end after it. */
export interface CronWindow extends Named {
  readonly kind: 'cron';
  readonly startText: string;
  readonly endText: string;
  readonly start: CronFields;
  readonly end: CronFields;
  /** Local dates, such as `2026-12-25`, whose starts do not count. */
  readonly excludeDates: readonly string[];
}

/** A window that happens once; local times such as `2026-11-27T08:00`. */
export interface OnceWindow extends Named {
  readonly kind: 'once';
  readonly from: string;
  readonly to: string;
}

export type Window = CronWindow | OnceWindow;

export function leadOf({ live }: Window, leadMinutes: number): number {
  return leadMinutes + (live?.earlyMinutes ?? 0);
}

/** A local time such as `2026-11-27T08:00`, as the milliseconds of the same digits in UTC. */
export function localMillis(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}Z`);
}
