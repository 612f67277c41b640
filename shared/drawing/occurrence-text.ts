import { formatDuration } from '../core/basics/duration';
import { ENOUGH_NODES, type LeadTime } from '../core/record/lead-time';
import { type RequestedOccurrence, verdictOf } from '../core/record/requested-occurrences';
import type { Window } from '../core/windows/window';
import { momentText } from './local-time';

/** The current learned lead time, and why; `undefined` if it is configured. */
export function leadText({ minutes, nodes, took }: LeadTime): string | undefined {
  if (nodes === undefined) return undefined;
  const why =
    took === undefined
      ? `the start value, with ${nodes} of ${ENOUGH_NODES} nodes known`
      : `95 % of the last ${nodes} nodes took up to ${minutesText(took)}`;
  return `auto, now ${minutesText(minutes)}: ${why}`;
}

interface TextContext {
  readonly windows: readonly Window[];
  readonly timezone: string;
  readonly now: number;
}

/** One occurrence with its verdict: `lunch 11:30 Asia/Seoul: ready 2m before`. */
export function occurrenceText(occurrence: RequestedOccurrence, { windows, timezone, now }: TextContext): string {
  return `${occurrence.window} ${momentText(timezone, occurrence.start, now)}: ${verdictText(occurrence, windows, now)}`;
}

/** Whether it was or is late. */
export function isLate(occurrence: RequestedOccurrence, windows: readonly Window[], now: number): boolean {
  return ['late', 'lateSoFar', 'never'].includes(verdictOf(occurrence, windows, now).kind);
}

function verdictText(occurrence: RequestedOccurrence, windows: readonly Window[], now: number): string {
  const verdict = verdictOf(occurrence, windows, now);
  const why = occurrence.why === undefined ? '' : `: ${occurrence.why}`;
  switch (verdict.kind) {
    case 'coming':
      return 'asked for, not ready yet';
    case 'ready':
      return verdict.ms < 60_000 ? 'ready at its start' : `ready ${spanText(verdict.ms)} before`;
    case 'late':
      return `late by ${spanText(verdict.ms)}${why}`;
    case 'lateSoFar':
      return `not ready, late by ${spanText(verdict.ms)} so far${why}`;
    case 'never':
      return `never ready${why}`;
  }
}

/** In minutes: the heartbeat sees no finer. */
function spanText(ms: number): string {
  return minutesText(Math.round(ms / 60_000));
}

function minutesText(minutes: number): string {
  return formatDuration(minutes * 60);
}
