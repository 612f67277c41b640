import { formatDuration } from '../basics/duration';
import { ENOUGH_NODES } from '../record/lead-time';
import { type Opening, openingKey } from '../record/openings';
import { entryOf, type HeadroomRecord } from '../record/record';
import { toLocal } from '../windows/zone';

const MINUTE = 60_000;

/** When an opening was asked for, and why then; nothing where the lead time is as written. */
export function askedText({ asked = {} }: HeadroomRecord, opening: Opening): string {
  const { at = 0, nodes, took } = entryOf(asked, openingKey(opening.window, opening.start)) ?? {};
  if (nodes === undefined) return '';
  const before = Math.ceil((opening.start - at) / MINUTE);
  const when = `asked at ${localClock(opening.window.timezone, at)}${before > 0 ? `, ${minutesText(before)} before` : ''}`;
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
