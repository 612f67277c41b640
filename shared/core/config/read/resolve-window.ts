import { shareIn } from '../../basics/share';
import { parseCron } from '../../windows/cron';
import type { Window } from '../../windows/window';
import { isCalendarName } from '../../windows/written-times';
import { canonicalTimezone } from '../../windows/zone';
import type { Calendars } from '../config';
import type { ScheduleInput } from '../schema/schedule-schema';

/** A schedule as it was written, ready to be evaluated; live schedules are compiled by the functions themselves. */
export function resolveWindow(input: ScheduleInput, index: number, calendars: Calendars = {}): Window {
  const share = shareIn(input.desiredReplicas);
  const named = {
    name: input.name ?? `window-${index + 1}`,
    timezone: canonicalTimezone(input.timezone),
    replicas: share === undefined ? Number(input.addNodes ?? input.desiredReplicas) : 0,
    ...(share !== undefined && { share }),
    ...(input.addNodes !== undefined && { relative: true as const }),
  };
  const { start, end } = input;
  if (start === undefined || end === undefined)
    return { kind: 'once', ...named, from: localText(input.from), to: localText(input.to) };
  return {
    kind: 'cron',
    ...named,
    startText: start,
    endText: end,
    start: parseCron(start),
    end: parseCron(end),
    excludeDates: datesOf(input, calendars),
  };
}

/** The dates that are written, and those of the calendars that are named; an unknown one has none. */
function datesOf({ excludeDates = [] }: ScheduleInput, calendars: Calendars): readonly string[] {
  const dates = excludeDates.flatMap((one) => {
    if (!isCalendarName(one)) return [one];
    return Object.hasOwn(calendars, one) ? (calendars[one] ?? []) : [];
  });
  return [...new Set(dates)];
}

/** The calendars that a window names and the config does not define. */
export function unknownCalendars({ excludeDates = [] }: ScheduleInput, calendars: Calendars = {}): readonly string[] {
  return excludeDates.filter((one) => isCalendarName(one) && !Object.hasOwn(calendars, one));
}

function localText(text = ''): string {
  return text.replace(' ', 'T');
}
