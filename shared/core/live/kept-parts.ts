import type { LivePart, LiveSchedule } from '../config/schema/live-schema';

/** Who changed the ConfigMap, and when. */
export interface Edit {
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
}

/** A schedule as it was written, with the edit that brought it: one that a later edit leaves alone stays as old as it is. */
export type KeptSchedule = LiveSchedule & { readonly edit: Edit };

export interface Refusal extends Edit {
  readonly hash: string;
  /** The first problem, with line and column. */
  readonly problem: string;
}

/**
 * What a Deployment keeps of the live schedules of its NodePool: as they were written, never merged with the config,
 * so that a newer deploy counts below them at once.
 */
export interface Kept extends Edit, Pick<LivePart, 'base'> {
  /** Of the text that counts, with the version of the reader; empty if none has been valid yet. */
  readonly hash: string;
  readonly schedules?: readonly KeptSchedule[];
  /** Since when the ConfigMap is gone. */
  readonly goneSince?: string;
  readonly refused?: Refusal;
  /** Since when the cluster does not hand the ConfigMap out, and why at first. */
  readonly unread?: { readonly since: string; readonly problem: string };
  /** What was written here by somebody else and does not count, until a text is read again. */
  readonly broken?: string;
  /** NodePools of the text that are not deployed. */
  readonly undeployed?: readonly string[];
}
