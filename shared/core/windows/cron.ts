import { CronExpressionParser } from 'cron-parser';

/** A 5-field Unix cron expression as plain data, so that nothing has to parse it again at run time. */
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

const PREDEFINED: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

export const CRON_HINT = 'write five fields: minute hour day-of-month month day-of-week, such as "30 11 * * MON-FRI"';

const NAMES = /jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat/gi;
/** Signs of Quartz, AWS and Jenkins that the parser would take; it reads H as a number drawn at random. */
const FOREIGN = /[?#]|(?<![a-z])[LWH](?![a-z])/i;

/** Reads a Unix cron expression; throws an `Error` whose message says what to write instead. */
export function parseCron(text: string): CronFields {
  const fields = (PREDEFINED[text.trim().toLowerCase()] ?? text.trim()).split(/\s+/);
  if (fields.length !== 5) throw new Error(`has ${fields.length} fields; ${CRON_HINT}`);
  const expression = fields.join(' ');
  const foreign = FOREIGN.exec(expression.replace(NAMES, '0'));
  if (foreign) throw new Error(`${JSON.stringify(foreign[0])} is not Unix cron; ${CRON_HINT}`);
  const parsed = read(expression);
  if (!canFire(parsed)) throw new Error('never fires: no month has such a day');
  return parsed;
}

function read(expression: string): CronFields {
  const [, , dayOfMonth = '', , dayOfWeek = ''] = expression.split(' ');
  try {
    const { fields } = CronExpressionParser.parse(expression);
    return {
      minutes: numbers(fields.minute.values),
      hours: numbers(fields.hour.values),
      daysOfMonth: numbers(fields.dayOfMonth.values),
      months: numbers(fields.month.values),
      daysOfWeek: numbers(fields.dayOfWeek.values.map((day) => Number(day) % 7)),
      anyDayOfMonth: isAny(dayOfMonth),
      anyDayOfWeek: isAny(dayOfWeek),
    };
  } catch (error) {
    throw new Error(`${lowerFirst(error instanceof Error ? error.message : String(error))}; ${CRON_HINT}`);
  }
}

function numbers(values: readonly (number | string)[]): number[] {
  return [...new Set(values.map(Number))].sort((a, b) => a - b);
}

function isAny(field: string): boolean {
  return field === '*' || field === '*/1';
}

/** Cron days repeat within 28 years; February 29 within 8. */
function canFire(cron: CronFields): boolean {
  const longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  if (!cron.anyDayOfWeek) return true;
  return cron.months.some((month) => cron.daysOfMonth.some((day) => day <= (longest[month - 1] ?? 0)));
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
