import { formatDuration } from '../basics/duration';
import { ENOUGH_NODES } from '../record/lead-time';
import { type Occurrence, occurrenceKey } from '../record/occurrences';
import { entryOf, type HeadroomRecord } from '../record/record';
import { toLocal } from '../windows/zone';

const MINUTE = 60_000;

/** When an occurrence was requested, and why then; empty if the lead time is configured. */
export function requestedText({ asked = {} }: HeadroomRecord, occurrence: Occurrence): string {
  const { at = 0, nodes, took } = entryOf(asked, occurrenceKey(occurrence.window, occurrence.start)) ?? {};
  if (nodes === undefined) return '';
  const before = Math.ceil((occurrence.start - at) / MINUTE);
  const when = `asked at ${localClock(occurrence.window.timezone, at)}${before > 0 ? `, ${minutesText(before)} before` : ''}`;
  return `, ${when}: ${basisText(nodes, took, before)}`;
}

function basisText(nodes: number, took: number | undefined, before: number): string {
  if (took === undefined) return `the start value, with ${nodes} of ${ENOUGH_NODES} nodes known`;
  return `95 % of ${nodes} nodes took ${took < before ? 'less' : `up to ${minutesText(took)}`}`;
}

function minutesText(minutes: number): string {
  return formatDuration(minutes * 60);
}

/** `11:30`. */
export function localClock(timezone: string, instant: number): string {
  return new Date(toLocal(timezone, instant)).toISOString().slice(11, 16);
}

/** `2026-11-17T02:30Z`; the command line and the console show it as a local time. */
export function utcClock(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 16)}Z`;
}
