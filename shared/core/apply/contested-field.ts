import { parseJson } from '../basics/json';
import { ANNOTATIONS } from '../manifests/annotations';
import type { CurrentHeadroom } from '../ports/ports';

/** A field that another writer keeps changing is restored this often before it is reported as a conflict. */
export const MAX_FIGHTS = 5;
const RETRY_AFTER_MS = 10 * 60_000;
/** Drift of the same field after this long counts from the start again. */
const FORGOTTEN_AFTER_MS = 15 * 60_000;
/** More contested fields than this are not remembered: the annotation has to stay small. */
const MAX_CONTESTS = 8;

/** How often a field was restored, and when last. Kept as an annotation, because functions have no memory of their own. */
export interface Contest {
  readonly field: string;
  readonly times: number;
  readonly at: number;
}

export interface Fights {
  /** How often each was restored so far. */
  readonly before: readonly Contest[];
  /** The same after a write, which restores all of them whatever its reason. */
  readonly after: readonly Contest[];
  /** Fields that do not differ now, and are not forgotten yet. */
  readonly quiet: readonly Contest[];
}

/** The history of these fields, and of those that were contested a moment ago. */
export function fightsFor(fields: readonly string[], current: CurrentHeadroom, now: number): Fights {
  const known = readContests(current.annotations[ANNOTATIONS.contested]).filter(
    ({ at }) => now - at < FORGOTTEN_AFTER_MS,
  );
  // The size comes first, so that it is always remembered.
  const first = [...fields].sort((a, b) => Number(b === 'spec.replicas') - Number(a === 'spec.replicas'));
  const before = first
    .slice(0, MAX_CONTESTS)
    .map((field) => known.find((one) => one.field === field) ?? { field, times: 0, at: now });
  return {
    before,
    after: before.map(({ field, times }) => ({ field, times: times + 1, at: now })),
    quiet: known.filter(({ field }) => !fields.includes(field)).slice(0, MAX_CONTESTS - before.length),
  };
}

/** Whether a field is to be restored now: a few times at once, then only every ten minutes. */
export function isDue({ times, at }: Contest, now: number): boolean {
  return times < MAX_FIGHTS || now - at >= RETRY_AFTER_MS;
}

/** Our own annotations, such as record and reasons, differ whenever there is something new to write. */
export function isOwnAnnotation(field: string): boolean {
  return field.startsWith('metadata.annotations');
}

/** Whether somebody else changed the field: neither our decision nor our config has changed since we wrote it. */
export function isForeignDrift(field: string, current: CurrentHeadroom, templateHash: string | undefined): boolean {
  const { annotations, replicas } = current;
  const decided = annotations[ANNOTATIONS.decided];
  if (isOwnAnnotation(field) || decided === undefined) return false;
  if (field === 'spec.replicas') return replicas !== Number(decided);
  return annotations[ANNOTATIONS.template] === templateHash;
}

export function writeContests(contests: readonly Contest[]): string {
  const written = contests.map(({ field, times, at }) => ({ field, times, at: new Date(at).toISOString() }));
  return JSON.stringify(written.length === 1 ? written[0] : written);
}

function readContests(text: string | undefined): readonly Contest[] {
  return [parseJson(text ?? '')].flat().flatMap((one) => readContest(one) ?? []);
}

function readContest(raw: unknown): Contest | undefined {
  const { field, times, at } = (raw ?? {}) as Record<string, unknown>;
  const time = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  return typeof field === 'string' && typeof times === 'number' && !Number.isNaN(time)
    ? { field, times, at: time }
    : undefined;
}
