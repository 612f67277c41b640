import { spanText } from '../../../shared/core/basics/duration';
import type { HeadroomConfig } from '../../../shared/core/config/config';
import { occurrenceKey } from '../../../shared/core/occurrences/occurrence-key';
import { type Occurrence, shareOf, wantedOccurrences } from '../../../shared/core/occurrences/occurrences';
import { verdictOf } from '../../../shared/core/occurrences/requests';
import { boostsNow, surgesNow } from '../../../shared/core/record/additions';
import { entryOf, type HeadroomRecord, type Override } from '../../../shared/core/record/record';
import { count } from '../../../shared/drawing/amounts';
import { figuresText, type HeadroomFigures, nounOf } from '../../../shared/drawing/headroom-figures';
import { overrideSize } from '../../../shared/drawing/size-text';
import type { PoolView } from './snapshot';

interface Told extends Pick<PoolView, 'next' | 'cost'> {
  readonly pool: HeadroomConfig;
  readonly record: HeadroomRecord;
  readonly now: number;
  readonly override: Override | undefined;
  readonly figures: HeadroomFigures;
  readonly absent: boolean;
}

/**
 * What happens, what it costs, what comes next; the page writes the times in its own zone:
 * `Lunch 11:30: 6 more nodes, ready 3 min early. 7 nodes in use, 1 free. Headroom cost $0.27 so far. Next, lunch closes 13:30: 0 nodes.`
 */
export function sentenceOf(told: Told): string {
  const { figures, absent, pool, next, cost } = told;
  const state = figures.wanted === 0 ? 'no headroom now' : figuresText(figures, nounOf(pool));
  const parts = [
    ...openings(told),
    ...additions(told),
    absent ? 'its Deployment does not exist yet' : state,
    ...(cost === undefined ? [] : [`headroom cost ${cost}`]),
    next ? `next, ${next.edge}: ${next.units}` : 'no change scheduled',
  ];
  return parts.map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}.`).join(' ');
}

function time(at: number): string {
  return new Date(at).toISOString();
}

/** The window that opened, or was requested, last. */
function openings({ pool, record, now, figures }: Told): string[] {
  const [newest] = wantedOccurrences(record, pool, now).sort((a, b) => b.start - a.start);
  if (!newest) return [];
  const { window, start } = newest;
  const request = entryOf(record.requests ?? {}, occurrenceKey(window, start));
  const verdict = request && verdictOf({ ...request, window: window.name, start }, pool.windows, now);
  const early = verdict && 'ms' in verdict && verdict.ms >= 60_000 ? spanText(Math.round(verdict.ms / 60_000)) : '';
  const allThere = figures.missing === 0 ? ', ready' : '';
  const texts = {
    ready: early ? `, ready ${early} early` : ', ready on time',
    late: `, ready ${early} late`,
    lateSoFar: allThere || `, not all of them ready${early && `, ${early} late so far`}`,
    coming: allThere || ', on the way',
    never: '',
  };
  return [`${window.name} ${time(start)}: ${windowUnits(newest, pool, record)}${verdict ? texts[verdict.kind] : ''}`];
}

/** `6 nodes`, `6 more nodes`, `24 pods`, `50 % of the 40 replicas of shop/checkout = 20 pods`. */
function windowUnits(occurrence: Occurrence, pool: HeadroomConfig, record: HeadroomRecord): string {
  const { window } = occurrence;
  const noun = nounOf(pool);
  if (window.relative) return count(Math.min(window.replicas, pool.max), `more ${noun}`);
  if (pool.shaped) return pool.shaped.sizeOf(window, shareOf(record, occurrence)).text;
  return count(Math.min(window.replicas, pool.max), noun);
}

/** What else makes it this large. */
function additions({ pool, record, now, override }: Told): string[] {
  const alarms = boostsNow(pool, record, now).map(
    ({ alarm, until }) => `alarm ${alarm.name} ${Number.isFinite(until) ? `counts until ${time(until)}` : 'fires'}`,
  );
  const { surges } = surgesNow(pool, record, now);
  const ends = Math.max(...surges.map(({ until }) => until));
  return [
    ...(override ? [`override by ${override.by}: ${overrideSize(override)} until ${time(override.until)}`] : []),
    ...alarms,
    ...(surges.length > 0 ? [`${count(surges.length, 'interruption notice')} until ${time(ends)}`] : []),
  ];
}
