import { CronError, type CronField, quoted, readField } from './cron-field';

/** A 5-field Unix cron expression as plain data, so that it need not be parsed at run time. */
export interface CronFields {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly daysOfMonth: readonly number[];
  readonly months: readonly number[];
  /** 0 is Sunday. */
  readonly daysOfWeek: readonly number[];
  readonly anyDayOfMonth: boolean;
  readonly anyDayOfWeek: boolean;
}

const MACROS: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

export const CRON_HINT = 'write five fields: minute hour day-of-month month day-of-week, such as "30 11 * * MON-FRI"';

/** About twice the length of an expression that lists every value. */
const MAX_LENGTH = 1_024;

const MONTH_NAMES = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAY_NAMES = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

const field = (name: string, allowed: string, first: number, last: number): CronField => ({
  name,
  allowed,
  first,
  last,
  highest: last,
  names: [],
});
const MINUTE = field('minute', 'minutes 0-59', 0, 59);
const HOUR = field('hour', 'hours 0-23', 0, 23);
const DAY_OF_MONTH = field('day of month', 'days 1-31', 1, 31);
const MONTH = { ...field('month', 'months 1-12 or JAN-DEC', 1, 12), names: MONTH_NAMES };
const DAY_OF_WEEK = {
  ...field('day of week', 'days 0-7 (0 and 7 are Sunday) or SUN-SAT', 0, 6),
  highest: 7,
  names: DAY_NAMES,
};

/** Parses a Unix cron expression; throws a `CronError` that says what is wrong and what to write instead. */
export function parseCron(text: string): CronFields {
  if (text.length > MAX_LENGTH) throw new CronError(`has ${text.length} characters`, `write at most ${MAX_LENGTH}`);
  const [minute, hour, dayOfMonth, month, dayOfWeek] = fieldsOf(text.trim());
  const minutes = readField(MINUTE, minute);
  const hours = readField(HOUR, hour);
  const dates = readField(DAY_OF_MONTH, dayOfMonth);
  const months = readField(MONTH, month);
  const weekdays = readField(DAY_OF_WEEK, dayOfWeek);
  const parsed: CronFields = {
    minutes: minutes.values,
    hours: hours.values,
    daysOfMonth: dates.values,
    months: months.values,
    daysOfWeek: [...new Set(weekdays.values.map((day) => day % 7))].sort((a, b) => a - b),
    anyDayOfMonth: dates.any,
    anyDayOfWeek: weekdays.any,
  };
  if (!canFire(parsed))
    throw new CronError('never fires: no month that it names has such a day', 'write a day that the month has');
  return parsed;
}

type FiveTexts = readonly [string, string, string, string, string];

function fieldsOf(text: string): FiveTexts {
  const fields = text === '' ? [] : withoutMacro(text).split(/[ \t]+/);
  if (areFive(fields)) return fields;
  throw new CronError(`has ${fields.length || 'no'} ${fields.length === 1 ? 'field' : 'fields'}`, CRON_HINT);
}

function areFive(fields: readonly string[]): fields is FiveTexts {
  return fields.length === 5;
}

function withoutMacro(text: string): string {
  if (!text.startsWith('@')) return text;
  const expanded = MACROS.get(text.toLowerCase());
  if (expanded === undefined) throw new CronError(`has the macro ${quoted(text)}`, macroHint());
  return expanded;
}

function macroHint(): string {
  const names = [...MACROS.keys()];
  return `write five fields, or ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** If the weekday restricts nothing, some month must have one of the dates. */
function canFire(cron: CronFields): boolean {
  const lengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  if (!cron.anyDayOfWeek) return true;
  return cron.months.some((month) => cron.daysOfMonth.some((day) => day <= (lengths[month - 1] ?? 0)));
}
