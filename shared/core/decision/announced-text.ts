import { EVENT_PREFIX } from '../basics/names';
import type { Occurrence } from '../record/occurrences';
import { isKnownLate } from '../record/requested-occurrences';
import { endsOf } from '../windows/edges';
import { utcClock } from './requested-text';

/** `campaign spring-sale: 6 from 2026-11-18T09:00Z to 2026-11-18T11:00Z (announced 2026-11-18T08:12Z by shop.cms)`. */
export function announcedText(occurrence: Occurrence, size: string): string {
  const { window, start } = occurrence;
  const { since = 0, by = '' } = window.live ?? {};
  const end = endsOf(window).next(start) ?? start;
  const late = isKnownLate(occurrence) ? ', too late for its lead time' : '';
  const source = `announced ${utcClock(since)} by ${by}${late}`;
  return `${peakName(window.name)}: ${size} from ${utcClock(start)} to ${utcClock(end)} (${source})`;
}

/** The event and the key, if it has one. */
function peakName(window: string): string {
  return window.slice(EVENT_PREFIX.length).replace(/ \*$/, '');
}
