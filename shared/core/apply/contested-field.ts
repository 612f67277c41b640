import { ANNOTATIONS } from '../manifests/annotations';
import type { LiveHeadroom } from '../ports/ports';

/** So often a field that somebody else sets back is set right, before it is reported as a conflict. */
export const MAX_FIGHTS = 5;
const RETRY_AFTER_MS = 10 * 60_000;
/** Drift of the same field after this long is a new story. */
const FORGOTTEN_AFTER_MS = 15 * 60_000;

/** How often a field was set right, and when last; kept as an annotation, since a function forgets. */
export interface Contest {
  readonly field: string;
  readonly times: number;
  readonly at: number;
}

/**
 * What to do about drift that comes back (a webhook, a GitOps tool): set the field right a few times,
 * then only every ten minutes. `undefined` means not now.
 */
export function nextFight(field: string, live: LiveHeadroom, now: number): Contest | undefined {
  const before = readContest(live.annotations[ANNOTATIONS.contested]);
  if (!before || before.field !== field || now - before.at >= FORGOTTEN_AFTER_MS) return { field, times: 1, at: now };
  if (before.times >= MAX_FIGHTS && now - before.at < RETRY_AFTER_MS) return undefined;
  return { field, times: before.times + 1, at: now };
}

/** Record, reasons and the like: they differ whenever we have something new to write. */
export function isOwnAnnotation(field: string): boolean {
  return field.startsWith('metadata.annotations');
}

/** Whether it was somebody else who changed the field: what we stated before and state now is the same. */
export function isForeignDrift(field: string, live: LiveHeadroom, replicas: number): boolean {
  return !isOwnAnnotation(field) && live.annotations[ANNOTATIONS.decided] === String(replicas);
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
