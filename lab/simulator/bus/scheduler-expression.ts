import { startInstant, toLocal } from '../../../shared/core/windows/zone';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** The next February 29 may be eight years away. */
const HORIZON_DAYS = 8 * 366 + 2;
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

export interface Firing {
  /** The first time after the instant. */
  next(after: number): number | undefined;
}

/**
 * Reads `cron(...)`, `at(...)` or `rate(...)` as EventBridge Scheduler does, in local time: nothing is due in an
 * hour that a clock change skips, and in a repeated hour only the first time counts.
 * A rate counts from the creation of the schedule.
 */
export function readExpression(expression: string, timezone: string, createdAt = 0): Firing {
  const [, kind, content = ''] = /^(cron|at|rate)\((.*)\)$/.exec(expression) ?? [];
  switch (kind) {
    case 'at': {
      const at = startInstant(timezone, Date.parse(`${content}Z`));
      return { next: (after) => (at > after ? at : undefined) };
    }
    case 'rate': {
      const every = Number.parseInt(content, 10) * MINUTE;
      return { next: (after) => createdAt + Math.max(1, Math.floor((after - createdAt) / every) + 1) * every };
    }
    case 'cron':
      return cronFiring(content, timezone);
    default:
      throw new Error(`schedule expression ${JSON.stringify(expression)} is not cron(...), at(...) or rate(...)`);
  }
}

type Matches = (value: number) => boolean;

function cronFiring(content: string, timezone: string): Firing {
  const [minute = '', hour = '', dayOfMonth = '', month = '', dayOfWeek = ''] = content.split(' ');
  const minutesOfDay = minutesMatching(field(hour), field(minute));
  const isMonth = field(month);
  const isDate = dayOfMonth === '?' || dayOfMonth === 'L' ? () => true : field(dayOfMonth);
  const isWeekday = dayOfWeek === '?' ? () => true : field(weekdayNumbers(dayOfWeek));
  const isDay = (day: number) => {
    const date = new Date(day);
    if (dayOfMonth === 'L' && new Date(day + DAY).getUTCDate() !== 1) return false;
    // AWS counts weekdays from 1 for Sunday.
    return isMonth(date.getUTCMonth() + 1) && isDate(date.getUTCDate()) && isWeekday(date.getUTCDay() + 1);
  };
  return {
    next: (after) => {
      const first = Math.floor(toLocal(timezone, after) / DAY) * DAY;
      for (let day = first; day < first + HORIZON_DAYS * DAY; day += DAY) {
        if (!isDay(day)) continue;
        for (const minutes of minutesOfDay) {
          const local = day + minutes * MINUTE;
          const instant = startInstant(timezone, local);
          if (instant > after && toLocal(timezone, instant) === local) return instant;
        }
      }
      return undefined;
    },
  };
}

function minutesMatching(isHour: Matches, isMinute: Matches): readonly number[] {
  const all = Array.from({ length: 1_440 }, (_, index) => index);
  return all.filter((index) => isHour(Math.floor(index / 60)) && isMinute(index % 60));
}

function weekdayNumbers(text: string): string {
  return text.replace(/[A-Z]{3}/g, (name) => String(WEEKDAYS.indexOf(name) + 1));
}

function field(text: string): Matches {
  if (text === '*') return () => true;
  const parts = text.split(',').map((part) => {
    const [from = '', to = from] = part.split('-');
    return { from: Number(from), to: Number(to) };
  });
  return (value) => parts.some(({ from, to }) => value >= from && value <= to);
}
