import { durationText } from '../../basics/duration';
import { nextChange, openedAt } from '../../windows/is-open';
import type { CronWindow, Window } from '../../windows/window';
import { isLocalDate } from '../../windows/written-times';
import type { Config, HeadroomConfig } from '../config';
import { type Located, problemAt, valueAt } from '../yaml/located';
import type { Problem } from '../yaml/problem';
import { asList } from '../yaml/untyped';

const [HOUR, DAY] = [3_600_000, 86_400_000];
/** A Monday: lengths are compared over some weeks, and over some months where a window is rare. */
const SOME_MONDAY = Date.UTC(2026, 0, 5);
const OCCURRENCES = 31;
const UNTIL = SOME_MONDAY + 366 * DAY;
/** From so many times as long on, the end was hardly meant. */
const UNEVEN = 2;

/** Windows that stay open much longer on some days than on others: a start without an end of its own. */
export function doubtfulWindows({ headrooms }: Config, tree: Located): Problem[] {
  return headrooms.flatMap((pool) =>
    pool.windows.flatMap((window, index) => {
      const message = window.kind === 'cron' ? unevenText(window, pool) : undefined;
      return message === undefined
        ? []
        : [problemAt(tree, ['nodePools', pool.name, 'schedules', index, 'end'], message)];
    }),
  );
}

/** Lists of dates that exclude nothing any more. */
export function pastDates({ calendars = {}, headrooms }: Config, tree: Located, now: number): Problem[] {
  const today = new Date(now - DAY).toISOString().slice(0, 10);
  const listed = [
    ...Object.keys(calendars).map((name) => ['calendars', name]),
    ...headrooms.flatMap(({ name, windows }) =>
      windows.map((_, index) => ['nodePools', name, 'schedules', index, 'excludeDates']),
    ),
  ];
  return listed.flatMap((path) => {
    const dates = asList(valueAt(tree, path)).map(String).filter(isLocalDate).sort();
    const last = dates.at(-1);
    if (last === undefined || last >= today) return [];
    return [problemAt(tree, path, `are all past, the last on ${last}; write the next ones, or leave them out`)];
  });
}

interface Occurrence {
  readonly start: number;
  readonly end: number;
}

function unevenText(window: CronWindow, { unit }: HeadroomConfig): string | undefined {
  const [first, ...rest] = occurrencesOf(window);
  if (!first) return undefined;
  const lengthOf = ({ start, end }: Occurrence) => end - start;
  const longest = rest.reduce((most, one) => (lengthOf(one) > lengthOf(most) ? one : most), first);
  const shortest = Math.min(...[first, ...rest].map(lengthOf));
  if (lengthOf(longest) <= UNEVEN * shortest) return undefined;
  const hours = Math.round((window.replicas * lengthOf(longest)) / HOUR).toLocaleString('en-US');
  const [from, to, least] = [localText(longest.start), localText(longest.end), durationText(shortest / 1_000)];
  return `leaves the window open from ${from} to ${to} (${durationText(lengthOf(longest) / 1_000)}, ${hours} ${unit.kind === 'slice' ? 'slice' : 'node'}-hours), at other times for ${least}; write an end for each day that has a start`;
}

/** In UTC, so that clock changes make no difference. */
function occurrencesOf(window: Window): readonly Occurrence[] {
  const plain = { ...window, timezone: 'UTC' };
  const found: Occurrence[] = [];
  let at: number | undefined = SOME_MONDAY;
  if (openedAt(plain, at) !== undefined) at = nextChange(plain, at);
  while (at !== undefined && at < UNTIL && found.length < OCCURRENCES) {
    const start: number | undefined = nextChange(plain, at);
    const end = start === undefined ? undefined : nextChange(plain, start);
    if (start !== undefined && end !== undefined) found.push({ start, end });
    at = end;
  }
  return found;
}

/** `Fri 09:00`. */
function localText(local: number): string {
  const date = new Date(local);
  const day = date.toLocaleDateString('en-US', { weekday: 'short', timeZone: 'UTC' });
  return `${day} ${date.toISOString().slice(11, 16)}`;
}
