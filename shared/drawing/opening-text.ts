import { formatDuration } from '../core/basics/duration';
import { type AskedOpening, verdictOf } from '../core/record/asked-openings';
import { ENOUGH_NODES, type LeadTime } from '../core/record/lead-time';
import type { Window } from '../core/windows/window';
import { momentText } from './local-time';

/** What a learned lead time is at the moment, and why; `undefined` where it is as written. */
export function leadText({ minutes, nodes, took }: LeadTime): string | undefined {
  if (nodes === undefined) return undefined;
  const why =
    took === undefined
      ? `the start value, with ${nodes} of ${ENOUGH_NODES} nodes known`
      : `95 % of the last ${nodes} nodes took up to ${minutesText(took)}`;
  return `auto, now ${minutesText(minutes)}: ${why}`;
}

interface Showing {
  readonly windows: readonly Window[];
  readonly timezone: string;
  readonly now: number;
}

/** One opening with its verdict: `lunch 11:30 Asia/Seoul: ready 2m before`. */
export function openingText(opening: AskedOpening, { windows, timezone, now }: Showing): string {
  return `${opening.window} ${momentText(timezone, opening.start, now)}: ${verdictText(opening, windows, now)}`;
}

/** Whether it is worth a second look. */
export function isLate(opening: AskedOpening, windows: readonly Window[], now: number): boolean {
  return ['late', 'lateSoFar', 'never'].includes(verdictOf(opening, windows, now).kind);
}

function verdictText(opening: AskedOpening, windows: readonly Window[], now: number): string {
  const verdict = verdictOf(opening, windows, now);
  const why = opening.why === undefined ? '' : `: ${opening.why}`;
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

/** Seconds say nothing where somebody looks once a minute. */
function spanText(ms: number): string {
  return minutesText(Math.round(ms / 60_000));
}

function minutesText(minutes: number): string {
  return formatDuration(minutes * 60);
}
