import { parseCron } from './cron';

/** From 2000 on: before that some zones counted in seconds. */
const LOCAL_TIME = /^[2-9]\d{3}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2})?$/;

/** `Date` rolls the 30th of February over into March, so the day has to come back as it was written. */
export function isLocalTime(value: string): boolean {
  const date = new Date(`${value.replace(' ', 'T')}Z`);
  return LOCAL_TIME.test(value) && date.getUTCDate() === Number(value.slice(8, 10));
}

export function isLocalDate(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(value) && isLocalTime(`${value}T00:00`);
}

/** The name of a list of dates, which no date is. */
export function isCalendarName(value: string): boolean {
  return /^[A-Za-z][\w-]{0,39}$/.test(value);
}

export function isCron(text: string): boolean {
  try {
    parseCron(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether two crons mean the same times, however they are written; a cron that cannot be read has its own problem. */
export function fireTogether(a: string, b: string): boolean {
  try {
    return JSON.stringify(parseCron(a)) === JSON.stringify(parseCron(b));
  } catch {
    return false;
  }
}
