import { EVENT_PREFIX } from '../basics/names';
import { MAX_REPLICAS } from '../basics/record-limits';
import { shareIn } from '../basics/share';
import { fireTogether, isCalendarName, isCron, isLocalDate, isLocalTime } from '../windows/written-times';
import { isTimezone } from '../windows/zone';

const MAX_NAME = 60;

type Fields = Readonly<Record<string, unknown>>;

/** Whether it is a window or a removal as the schema has it, which the functions do not load for what they keep. */
export function isWholeSchedule(one: Fields): boolean {
  return isName(one.name) && ('remove' in one ? one.remove === true : isWindow(one));
}

function isWindow({ timezone, start, end, from, to, desiredReplicas, addNodes, excludeDates }: Fields): boolean {
  const [repeats, once] = [start !== undefined || end !== undefined, from !== undefined || to !== undefined];
  if (typeof timezone !== 'string' || !isTimezone(timezone) || repeats === once) return false;
  const isSized = isSize(desiredReplicas ?? addNodes) || shareIn(desiredReplicas) !== undefined;
  if ((desiredReplicas === undefined) === (addNodes === undefined) || !isSized) return false;
  return once ? excludeDates === undefined && isSpan(from, to) : isCronPair(start, end) && areDates(excludeDates);
}

function isName(name: unknown): boolean {
  return typeof name === 'string' && name !== '' && name.length <= MAX_NAME && isPlain(name);
}

function isPlain(name: string): boolean {
  return !/\p{Cc}/u.test(name) && !name.startsWith(EVENT_PREFIX);
}

function isSize(size: unknown): boolean {
  if (typeof size !== 'number' && typeof size !== 'string') return false;
  return /^\d+$/.test(String(size)) && Number(size) >= 1 && Number(size) <= MAX_REPLICAS;
}

function isSpan(from: unknown, to: unknown): boolean {
  if (typeof from !== 'string' || typeof to !== 'string' || !isLocalTime(from) || !isLocalTime(to)) return false;
  return Date.parse(`${to}Z`) > Date.parse(`${from}Z`);
}

function isCronPair(start: unknown, end: unknown): boolean {
  if (typeof start !== 'string' || typeof end !== 'string') return false;
  return isCron(start) && isCron(end) && !fireTogether(start, end);
}

function areDates(dates: unknown): boolean {
  if (dates === undefined) return true;
  return (
    Array.isArray(dates) &&
    dates.every((date) => typeof date === 'string' && (isLocalDate(date) || isCalendarName(date)))
  );
}
