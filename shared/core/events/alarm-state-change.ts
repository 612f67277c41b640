import { InvalidEventError } from '../basics/errors';
import type { AlarmEvent, AlarmState } from './event';
import { type Fields, fields, quote, textAt, timeAt } from './event-fields';
import type { EventSource } from './event-source';

const STATES: readonly string[] = ['ALARM', 'OK', 'INSUFFICIENT_DATA'] satisfies AlarmState[];

/**
 * A metric or composite alarm moved to another state.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch-and-eventbridge.html
 */
export const alarmStateChange: EventSource = {
  source: 'aws.cloudwatch',
  detailType: 'CloudWatch Alarm State Change',
  read: (detail) => readAlarm(detail, 'detail'),
};

/** An EventBridge event and a direct alarm action have the same fields. */
export function readAlarm(from: Fields, path: string): AlarmEvent {
  const state = fields(from.state, `${path}.state`);
  const before = from.previousState === undefined ? undefined : fields(from.previousState, `${path}.previousState`);
  const previous = before && isState(before.value) ? before.value : undefined;
  if (!isState(state.value))
    throw new InvalidEventError(`event has no alarm state at ${path}.state.value, got ${quote(state.value)}`);
  return {
    kind: 'alarm',
    alarmName: textAt(from, 'alarmName', path),
    state: state.value,
    ...(previous && { previous }),
    at: timeAt(state, 'timestamp', `${path}.state`),
  };
}

function isState(value: unknown): value is AlarmState {
  return typeof value === 'string' && STATES.includes(value);
}
