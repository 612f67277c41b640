import { InvalidEventError } from '../basics/errors';
import { ALARM_STATE_CHANGE } from './aws-detail-types';
import type { AlarmEvent, AlarmState } from './event';
import type { EventSource } from './event-source';
import { type Fields, fields, show, textAt, timeAt } from './fields';

const STATES: readonly string[] = ['ALARM', 'OK', 'INSUFFICIENT_DATA'] satisfies AlarmState[];

/** A metric or composite alarm moved to another state. */
export const alarmStateChange: EventSource = {
  ...ALARM_STATE_CHANGE,
  read: (detail) => readAlarm(detail, 'detail'),
};

/** The same facts stand in the event and in a direct alarm action. */
export function readAlarm(from: Fields, path: string): AlarmEvent {
  const state = fields(from.state, `${path}.state`);
  const before = from.previousState === undefined ? undefined : fields(from.previousState, `${path}.previousState`);
  const previous = before && isState(before.value) ? before.value : undefined;
  if (!isState(state.value))
    throw new InvalidEventError(`event has no alarm state at ${path}.state.value, got ${show(state.value)}`);
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
