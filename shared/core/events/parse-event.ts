import { InvalidEventError } from '../basics/errors';
import { alarmStateChange, readAlarm } from './alarm-state-change';
import { capacityReservation } from './capacity-reservation';
import type { HeadstartEvent } from './event';
import type { EventSource } from './event-source';
import { type Fields, fields, show, textAt } from './fields';
import { healthScheduledChange } from './health-scheduled-change';
import { instanceStateChange } from './instance-state-change';
import { rebalanceRecommendation } from './rebalance-recommendation';
import { spotInterruption } from './spot-interruption';
import { deploy, heartbeat, windowEdge } from './ticks';

/** Every event that Headstart understands; adding one here is the whole registration. */
export const EVENT_SOURCES: readonly EventSource[] = [
  windowEdge,
  heartbeat,
  deploy,
  alarmStateChange,
  spotInterruption,
  rebalanceRecommendation,
  capacityReservation,
  healthScheduledChange,
  instanceStateChange,
];

/**
 * Reads any EventBridge event, or a CloudWatch alarm's direct action. `undefined`
 * means that there is nothing in it for us; a known event without its promised
 * content is an `InvalidEventError`.
 */
export function parseEvent(raw: unknown): HeadstartEvent | undefined {
  const event = fields(raw, 'the top');
  if (event.alarmData !== undefined) return readAlarm(fields(event.alarmData, 'alarmData'), 'alarmData');
  const [source, detailType] = [textAt(event, 'source', 'event'), textAt(event, 'detail-type', 'event')];
  const known = EVENT_SOURCES.find((candidate) => candidate.source === source && candidate.detailType === detailType);
  return known?.read(fields(event.detail ?? {}, 'detail'), timeOf(event, known));
}

/** Our own senders may leave the time out; AWS never does. */
function timeOf(event: Fields, { source }: EventSource): number {
  const time = typeof event.time === 'string' ? Date.parse(event.time) : Number.NaN;
  if (!Number.isNaN(time) || source.startsWith('headstart.')) return time;
  throw new InvalidEventError(`event has no time, got ${show(event.time)}`);
}
