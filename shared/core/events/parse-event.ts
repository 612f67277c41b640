import { InvalidEventError } from '../basics/errors';
import { readAlarm } from './alarm-state-change';
import type { HeadstartEvent } from './event';
import type { EventSource } from './event-source';
import * as registered from './event-sources';
import { type Fields, fields, show, textAt } from './fields';
import { parseOrder } from './parse-order';

/**
 * Reads any EventBridge event, a CloudWatch alarm's direct action, or a person's order, which is the
 * one thing that names no sender. `undefined` means that there is nothing in it for us; a known event
 * without its promised content is an `InvalidEventError`.
 */
export function parseEvent(raw: unknown, receivedAt: number): HeadstartEvent | undefined {
  const event = fields(raw, 'the top');
  if (event.alarmData !== undefined) return readAlarm(fields(event.alarmData, 'alarmData'), 'alarmData');
  if (event.source === undefined && event['detail-type'] === undefined) return parseOrder(event, receivedAt);
  const [source, detailType] = [textAt(event, 'source', 'event'), textAt(event, 'detail-type', 'event')];
  const known = Object.values<EventSource>(registered).find(
    (candidate) => candidate.source === source && candidate.detailType === detailType,
  );
  return known?.read(fields(event.detail ?? {}, 'detail'), timeOf(event, known));
}

/** Our own senders may leave the time out; AWS never does. */
function timeOf(event: Fields, { source }: EventSource): number {
  const time = typeof event.time === 'string' ? Date.parse(event.time) : Number.NaN;
  if (!Number.isNaN(time) || source.startsWith('headstart.')) return time;
  throw new InvalidEventError(`event has no time, got ${show(event.time)}`);
}
