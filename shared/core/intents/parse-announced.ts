import { InvalidEventError } from '../basics/errors';
import { hashText } from '../basics/names';
import { MAX_EVENT_KEY } from '../basics/record-limits';
import { type AnnouncedEvent, type Config, headroomsOn, noHeadroomText } from '../config/config';
import { believedTime, MAX_EVENT_AHEAD_MS } from '../events/believed-time';
import type { AnnouncementEvent } from '../events/event';
import { type Fields, fields, isNoDay, quote, textAt, timeAt, zonedTime } from '../events/event-fields';
import type { Parse } from '../events/parse-event';

const [SECOND, MINUTE, DAY] = [1_000, 60_000, 86_400_000];
const MAX_AGE = DAY;
const MAX_AHEAD_DAYS = 31;
const MAX_LENGTH_DAYS = 7;
/** Stands for the key of events that have none: no key is written so. */
const NO_KEY = '*';
const PLAIN_KEY = new RegExp(`^[\\w.:/@-]{1,${MAX_EVENT_KEY}}$`);

/** Parses the messages that the rules of announced peaks put into their queue: the event, and what it is to us. */
export function announcementParser(config: Config): Parse {
  const { headrooms } = config;
  return (raw, receivedAt) => {
    const message = fields(raw, 'the top');
    const announced = fields(message.announced, 'announced');
    const [headroom, name] = [textAt(announced, 'headroom', 'announced'), textAt(announced, 'event', 'announced')];
    const target = headrooms.find((one) => one.name === headroom);
    if (!target && headroomsOn(headroom, config).length > 0)
      throw new InvalidEventError(
        `announced.headroom is ${quote(headroom)}, which ${noHeadroomText(headroom, config)}`,
      );
    const source = target?.events?.find((one) => one.name === name);
    const event = fields(message.event, 'event');
    const sentAt = plausibleTime(event, 'time', 'event', receivedAt);
    const dated = believedTime(sentAt, plausibleTime(message, 'ingestedAt', 'the top', receivedAt));
    // EventBridge knows no less than a second.
    const at = Math.floor(dated / SECOND) * SECOND;
    if (receivedAt - at > MAX_AGE)
      throw new InvalidEventError(
        `event is of ${new Date(at).toISOString()}, more than 24 hours old; send a newer one`,
      );
    const known: AnnouncementEvent = { kind: 'announcement', headroom, event: name };
    if (!source) return known;
    const peak = announced.cancel === true ? { at } : { at, ...timesOf(source, event, at) };
    return { ...known, peak: { key: `${name} ${keyOf(source, event)}`, ...peak } };
  };
}

/** The newest message about a peak applies: one that is dated ahead would silence all that follow. */
function plausibleTime(from: Fields, key: string, path: string, receivedAt: number): number {
  const time = timeAt(from, key, path);
  const got = `at ${path}.${key}, got ${quote(from[key])}`;
  if (time < 0) throw new InvalidEventError(`event has no time after 1970 ${got}`);
  if (time <= receivedAt + MAX_EVENT_AHEAD_MS) return time;
  const clock = new Date(receivedAt).toISOString();
  throw new InvalidEventError(`event has a time that lies ahead ${got}; the clock of this function says ${clock}`);
}

/** From when to when: as the event says, or from its own time for the hold. */
function timesOf(source: AnnouncedEvent, event: Fields, at: number): { from: number; to: number } {
  const { from: fromPath, to: toPath, holdSeconds = 0 } = source;
  if (fromPath === undefined || toPath === undefined)
    return { from: at, to: Math.ceil((at + holdSeconds * SECOND) / MINUTE) * MINUTE };
  const from = Math.floor(instantAt(event, fromPath) / SECOND) * SECOND;
  const to = Math.ceil(instantAt(event, toPath) / SECOND) * SECOND;
  if (to <= from) throw wrong(event, toPath, `a time after ${fromPath}`);
  if (from > at + MAX_AHEAD_DAYS * DAY) throw wrong(event, fromPath, `a time within ${MAX_AHEAD_DAYS} days`);
  if (to > from + MAX_LENGTH_DAYS * DAY)
    throw wrong(event, toPath, `a time within ${MAX_LENGTH_DAYS} days after ${fromPath}`);
  return { from, to };
}

/** Short plain keys stay as they are, so that people recognise them. */
function keyOf({ key: path }: AnnouncedEvent, event: Fields): string {
  if (path === undefined) return NO_KEY;
  const value = valueAt(event, path);
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text === '') throw wrong(event, path, 'text or a number');
  return PLAIN_KEY.test(text) ? text : hashText(text);
}

function instantAt(event: Fields, path: string): number {
  const value = valueAt(event, path);
  if (isNoDay(value)) throw wrong(event, path, 'a day of the calendar');
  const instant = zonedTime(value);
  if (instant === undefined) throw wrong(event, path, 'a time with its zone, such as "2026-11-27T09:30:00Z",');
  if (instant < 0) throw wrong(event, path, 'a time after 1970');
  return instant;
}

function wrong(event: Fields, path: string, expected: string): InvalidEventError {
  return new InvalidEventError(`event needs ${expected} at ${path}, got ${quote(valueAt(event, path))}`);
}

/** The value at a path such as `$.detail.items[0].id`. */
function valueAt(event: Fields, path: string): unknown {
  const steps = path.match(/[\w-]+/g) ?? [];
  return steps.reduce<unknown>((here, step) => {
    const inside = typeof here === 'object' && here !== null && Object.hasOwn(here, step);
    return inside ? (here as Fields)[step] : undefined;
  }, event);
}
