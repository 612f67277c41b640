import type { LivePart, LiveSchedule } from '../config/schema/live-schema';

/** Who changed the ConfigMap, and when. */
export interface Edit {
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
}

/** A schedule as it was written, with the edit that brought it: one that a later edit leaves alone stays as old as it is. */
export type KeptSchedule = LiveSchedule & { readonly edit: Edit };

/** A text that does not count. */
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
  /** NodePools of the text that are not deployed. */
  readonly undeployed?: readonly string[];
}

/** `undefined` if there is nothing, or nothing that we wrote. */
export function readKept(text: string | undefined): Kept | undefined {
  if (text === undefined) return undefined;
  try {
    const kept = JSON.parse(text) as Partial<Kept> | null;
    const isOurs =
      typeof kept?.hash === 'string' && typeof kept.by === 'string' && !Number.isNaN(Date.parse(`${kept.at}`));
    return isOurs && (kept.schedules === undefined || Array.isArray(kept.schedules)) ? (kept as Kept) : undefined;
  } catch {
    return undefined;
  }
}
