import { InvalidEventError } from '../basics/errors';
import { readAlarm } from './alarm-state-change';
import type { HeadstartEvent } from './event';
import { type Fields, fields, quote, textAt, zonedTime } from './event-fields';
import type { EventSource } from './event-source';
import { EVENT_SOURCES } from './event-sources';
import { parseOverride } from './parse-override';

/**
 * Parses a delivery. `undefined` means that it does not concern us; a known event without its documented
 * content is an `InvalidEventError`.
 */
export type Parse = (raw: unknown, receivedAt: number) => HeadstartEvent | undefined;

/** Parses any AWS event, or an override, which is the only input that names no source. */
export const parseEvent: Parse = (raw, receivedAt) => {
  const event = fields(raw, 'the top');
  return namesSender(event) ? parseAwsEvent(event, receivedAt) : parseOverride(event, receivedAt);
};

/** Parses any EventBridge event or a CloudWatch alarm's direct action: all that most functions need. */
export const parseAwsEvent: Parse = (raw) => {
  const event = fields(raw, 'the top');
  if (event.alarmData !== undefined) return readAlarm(fields(event.alarmData, 'alarmData'), 'alarmData');
  if (!namesSender(event)) throw new InvalidEventError('event is not for this function: it names no source');
  const [source, detailType] = [textAt(event, 'source', 'event'), textAt(event, 'detail-type', 'event')];
  const known = EVENT_SOURCES.find((candidate) => candidate.source === source && candidate.detailType === detailType);
  return known?.read(fields(event.detail ?? {}, 'detail'), timeOf(event, known));
};

function namesSender(event: Fields): boolean {
  return event.alarmData !== undefined || event.source !== undefined || event['detail-type'] !== undefined;
}

/** Our own senders may leave the time out; AWS never does. */
function timeOf(event: Fields, { source }: EventSource): number {
  const time = zonedTime(event.time);
  if (time !== undefined || source.startsWith('headstart.')) return time ?? Number.NaN;
  throw new InvalidEventError(`event has no time, got ${quote(event.time)}`);
}
