import type { CronFields } from './cron';

/** AWS cron expressions that fire at least at the requested times, or why there are none. */
export type CompiledCron =
  | { readonly kind: 'compiled'; readonly expressions: readonly string[] }
  | { readonly kind: 'declined'; readonly why: string };

/** More schedules for one edge would crowd out others; the heartbeat covers it instead. */
export const MAX_EXPRESSIONS = 4;
/** Reconciles a day that find nothing to do, for one kind of edge: a window has two. */
export const MAX_EXTRA = 12;

const DAY_MINUTES = 1_440;
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const [EVERY_DAY, ALL_DATES, ALL_MONTHS, ALL_WEEKDAYS] = ['* * ?', 31, 12, 7];

/**
 * Moves a Unix cron expression earlier by the lead time and translates it to AWS cron, in local time. It may fire at
 * more times, because a reconcile too many changes nothing: every day where the lead time crosses midnight, or where
 * AWS cron has no word for the days.
 */
export function compileCron(cron: CronFields, leadMinutes = 0): CompiledCron {
  const times = cron.hours.flatMap((hour) => cron.minutes.map((minute) => hour * 60 + minute - leadMinutes));
  const days = times.every((time) => time >= 0) ? daysOf(cron) : undefined;
  const spread = timeFields(times.map((time) => ((time % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES));
  const firing = spread.reduce((sum, { hours, minutes }) => sum + hours.length * minutes.length, 0);
  if (days === undefined && firing > MAX_EXTRA && !isDaily(cron))
    return { kind: 'declined', why: `its days cannot be named, and ${firing} times on every day are too many` };
  if (spread.length > MAX_EXPRESSIONS)
    return { kind: 'declined', why: `it takes ${spread.length} AWS cron expressions, more than ${MAX_EXPRESSIONS}` };
  const expressions = spread.map(
    ({ hours, minutes }) => `cron(${list(minutes, 60)} ${list(hours, 24)} ${days ?? EVERY_DAY} *)`,
  );
  return { kind: 'compiled', expressions };
}

/** Every minute of every hour of the two lists. */
interface Times {
  readonly hours: readonly number[];
  readonly minutes: readonly number[];
}

/** One expression for all times if that adds only a few, else one for the hours that have the same minutes. */
function timeFields(times: readonly number[]): readonly Times[] {
  const hourOf = (time: number) => Math.floor(time / 60);
  const minutesOf = (hour: number) => ascending(times.filter((time) => hourOf(time) === hour).map((time) => time % 60));
  const all = { hours: ascending(times.map(hourOf)), minutes: ascending(times.map((time) => time % 60)) };
  if (all.hours.length * all.minutes.length - times.length <= MAX_EXTRA) return [all];
  const kinds = new Set(all.hours.map((hour) => minutesOf(hour).join()));
  return [...kinds].map((kind) => {
    const hours = all.hours.filter((hour) => minutesOf(hour).join() === kind);
    return { hours, minutes: minutesOf(hours[0] ?? 0) };
  });
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

function isDaily(cron: CronFields): boolean {
  return daysOf(cron) === EVERY_DAY;
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
