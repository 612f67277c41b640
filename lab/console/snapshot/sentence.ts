import { spanText } from '../../../shared/core/basics/duration';
import type { HeadroomConfig } from '../../../shared/core/config/config';
import { unitNoun } from '../../../shared/core/config/unit-text';
import { occurrenceKey } from '../../../shared/core/occurrences/occurrence-key';
import { type Occurrence, wantedOccurrences } from '../../../shared/core/occurrences/occurrences';
import { verdictOf } from '../../../shared/core/occurrences/requests';
import { entryOf, type HeadroomRecord, type Override } from '../../../shared/core/record/record';
import { endsOf, startsOf } from '../../../shared/core/windows/edges';
import type { Window } from '../../../shared/core/windows/window';
import { count, dollars } from '../../../shared/drawing/amounts';
import { overrideSize } from '../../../shared/drawing/size-text';
import type { PoolView, TimelinePoint } from './snapshot';

interface Told extends Pick<PoolView, 'wanted' | 'ready' | 'used' | 'useUnknown'> {
  readonly pool: HeadroomConfig;
  readonly record: HeadroomRecord;
  readonly now: number;
  readonly override: Override | undefined;
  /** The cost since then of nodes that ran no work; `undefined` without a price. */
  readonly extraSince: (from: number) => number | undefined;
}

/** `Lunch 11:30: 6 nodes ready 3 min early, 7 of 8 in use. $0.27 extra so far; ends 13:30.` */
export function sentenceOf(told: Told): string {
  const { pool, record, now, override } = told;
  const [occurrence] = wantedOccurrences(record, pool, now).sort((a, b) => b.start - a.start);
  const manual = override
    ? [`Override by ${override.by}: ${overrideSize(override)} until ${time(override.until)}`]
    : [];
  const parts = occurrence
    ? [`${titleOf(occurrence)}: ${openingText(occurrence, told)}`, ...manual, costAndEnd(occurrence, told)]
    : [...manual, stateText(told, ` ${unitNoun(pool.unit)}s`), ...nextWindow(told)];
  return parts.map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}.`).join(' ');
}

/** Nodes that are paid for and run no work; slices are not nodes, so it is unknown for them. */
export function idleNodes({ unit }: HeadroomConfig): (point: TimelinePoint) => number {
  if (unit.kind === 'slice') return () => Number.NaN;
  return ({ ready, used }) => (unit.kind === 'floor' ? Math.max(0, ready - used) : ready);
}

/** The page writes times in its own zone. */
function time(at: number): string {
  return new Date(at).toISOString();
}

function titleOf({ window, start }: Pick<Occurrence, 'window' | 'start'>): string {
  return `${window.name} ${time(start)}`;
}

function sizeText({ replicas }: Window, { unit, max }: HeadroomConfig): string {
  return count(Math.min(replicas, max), unitNoun(unit));
}

function openingText(occurrence: Occurrence, told: Told): string {
  const { pool, record, now, ready, wanted } = told;
  const { window, start } = occurrence;
  const size = sizeText(window, pool);
  const request = entryOf(record.requests ?? {}, occurrenceKey(window, start));
  if (!request) return `${size}, ${stateText(told)}`;
  const verdict = verdictOf({ ...request, window: window.name, start }, pool.windows, now);
  switch (verdict.kind) {
    case 'ready':
      return `${size} ready ${verdict.ms < 60_000 ? 'on time' : `${minutes(verdict.ms)} early`}, ${stateText(told)}`;
    case 'late':
      return `${size} ready ${minutes(verdict.ms)} late, ${stateText(told)}`;
    case 'lateSoFar':
      return `${ready} of ${count(wanted, unitNoun(pool.unit))} ready, ${minutes(verdict.ms)} late so far`;
    default:
      return `${size} on the way, ${ready} of ${wanted} ready`;
  }
}

function stateText({ pool: { unit }, wanted, ready, used, useUnknown }: Told, noun = ''): string {
  if (unit.kind !== 'floor') {
    const taken = used > 0 ? `, ${used} taken by work` : '';
    return wanted === 0 ? 'no headroom now' : `${ready} of ${wanted}${noun} free${taken}`;
  }
  if (useUnknown) return `${ready} of ${wanted}${noun} ready`;
  return wanted === 0 ? `no floor now, ${count(used, 'node')} in use` : `${used} of ${ready}${noun} in use`;
}

function costAndEnd({ window, start, requestedAt }: Occurrence, { now, extraSince }: Told): string {
  const extra = extraSince(requestedAt) ?? 0;
  const end = endsOf(window).next(start);
  const edge = start > now ? `opens ${time(start)}` : end === undefined ? 'has no end' : `ends ${time(end)}`;
  return extra >= 0.005 ? `${money(extra)} extra so far; ${edge}` : edge;
}

function nextWindow({ pool, now }: Told): readonly string[] {
  const starts = pool.windows.flatMap((window) => {
    const start = startsOf(window).next(now);
    return start === undefined ? [] : [{ window, start }];
  });
  const next = starts.sort((a, b) => a.start - b.start)[0];
  if (!next) return [];
  const comes = next.window.relative ? ' adds' : ',';
  return [`Next: ${titleOf(next)}${comes} ${sizeText(next.window, pool)}`];
}

function minutes(ms: number): string {
  return spanText(Math.round(ms / 60_000));
}

function money(value: number): string {
  return value < 100 ? `$${value.toFixed(2)}` : dollars(value);
}
