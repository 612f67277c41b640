import { ANNOTATIONS } from '../manifests/annotations';
import type { LiveHeadroom } from '../ports/ports';

/** How often a field that somebody else keeps changing is corrected before it is reported as contested. */
export const MAX_FIGHTS = 5;
const RETRY_AFTER_MS = 10 * 60_000;
/** Drift of the same field after this long counts as new. */
const FORGOTTEN_AFTER_MS = 15 * 60_000;

/** How often a field was corrected, and when last; kept as an annotation, since functions have no memory. */
export interface Contest {
  readonly field: string;
  readonly times: number;
  readonly at: number;
}

/**
 * What to do about drift that comes back (a webhook, a GitOps tool): correct the field a few times,
 * then only every ten minutes. `undefined` means not now.
 */
export function nextFight(field: string, live: LiveHeadroom, now: number): Contest | undefined {
  const before = readContest(live.annotations[ANNOTATIONS.contested]);
  if (!before || before.field !== field || now - before.at >= FORGOTTEN_AFTER_MS) return { field, times: 1, at: now };
  if (before.times >= MAX_FIGHTS && now - before.at < RETRY_AFTER_MS) return undefined;
  return { field, times: before.times + 1, at: now };
}

/** Whether somebody else changed the field: our own decision is the same as before. */
export function isForeignDrift(field: string, live: LiveHeadroom, replicas: number): boolean {
  if (field.startsWith('metadata.annotations')) return false;
  return live.annotations[ANNOTATIONS.decided] === String(replicas);
}

export function writeContest({ field, times, at }: Contest): string {
  return JSON.stringify({ field, times, at: new Date(at).toISOString() });
}

function readContest(text: string | undefined): Contest | undefined {
  if (text === undefined) return undefined;
  try {
    const { field, times, at } = JSON.parse(text) as Record<string, unknown>;
    const time = typeof at === 'string' ? Date.parse(at) : Number.NaN;
    return typeof field === 'string' && typeof times === 'number' && !Number.isNaN(time)
      ? { field, times, at: time }
      : undefined;
  } catch {
    return undefined;
  }
}
