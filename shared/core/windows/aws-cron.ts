import type { CronFields } from './cron';

/** An AWS cron expression that fires at least at the requested times, or why there is none. */
export type CompiledCron =
  | { readonly kind: 'compiled'; readonly expression: string }
  | { readonly kind: 'declined'; readonly why: string };

/** Reconciles a day that find nothing to do, for one kind of edge: a window has two. */
export const MAX_EXTRA = 12;

const DAY_MINUTES = 1_440;
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const [EVERY_DAY, ALL_DATES, ALL_MONTHS, ALL_WEEKDAYS] = ['* * ?', 31, 12, 7];

/**
 * Moves a Unix cron expression earlier by the lead time and translates it to AWS cron, in local time. It may fire at
 * more times, because a reconcile too many changes nothing: in every minute of its hours, and every day where the lead
 * time crosses midnight or AWS cron has no word for the days.
 */
export function compileCron(cron: CronFields, leadMinutes = 0): CompiledCron {
  const moved = cron.hours.flatMap((hour) => cron.minutes.map((minute) => hour * 60 + minute - leadMinutes));
  const times = moved.map((time) => ((time % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES);
  const [hours, minutes] = [
    ascending(times.map((time) => Math.floor(time / 60))),
    ascending(times.map((time) => time % 60)),
  ];
  const own = daysOf(cron);
  const days = moved.every((time) => time >= 0) && own !== undefined ? own : EVERY_DAY;
  const extra = hours.length * minutes.length - (days === own ? times.length : 0);
  if (extra > MAX_EXTRA)
    return {
      kind: 'declined',
      why: `AWS cron would fire ${extra} times too often on some days, more than ${MAX_EXTRA}`,
    };
  return { kind: 'compiled', expression: `cron(${list(minutes, 60)} ${list(hours, 24)} ${days} *)` };
}

/** The day fields; undefined where AWS cron has none: Unix fires on either day field if both are limited. */
function daysOf({ anyDayOfMonth, anyDayOfWeek, daysOfMonth, daysOfWeek, months }: CronFields): string | undefined {
  const anyDate = anyDayOfMonth || daysOfMonth.length === ALL_DATES;
  const anyWeekday = anyDayOfWeek || daysOfWeek.length === ALL_WEEKDAYS;
  const isEither = !anyDayOfMonth && !anyDayOfWeek;
  if (isEither && !anyDate && !anyWeekday) return undefined;
  const month = list(months, ALL_MONTHS);
  if (isEither || (anyDate && anyWeekday)) return `* ${month} ?`;
  return anyDate
    ? `? ${month} ${list(daysOfWeek, ALL_WEEKDAYS, WEEKDAYS)}`
    : `${list(daysOfMonth, ALL_DATES)} ${month} ?`;
}

function ascending(values: readonly number[]): readonly number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}

/** `*` for all values, otherwise a list with ranges. */
function list(values: readonly number[], all: number, names: readonly string[] = []): string {
  if (values.length === all) return '*';
  const text = (value: number) => names[value] ?? String(value);
  const runs: number[][] = [];
  for (const value of values) {
    const run = runs.at(-1);
    if (run?.at(-1) === value - 1) run.push(value);
    else runs.push([value]);
  }
  return runs
    .map((run) => (run.length > 2 ? `${text(run[0] ?? 0)}-${text(run.at(-1) ?? 0)}` : run.map(text).join(',')))
    .join(',');
}
