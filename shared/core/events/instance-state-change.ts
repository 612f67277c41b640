import { INSTANCE_STATE_CHANGE, LEAVING_STATES } from './aws-detail-types';
import type { EventSource } from './event-source';
import { instanceIdAt, textAt } from './fields';

const leaving: readonly string[] = LEAVING_STATES;

/** An instance stops or terminates without a warning before it. */
export const instanceStateChange: EventSource = {
  ...INSTANCE_STATE_CHANGE,
  read: (detail, at) => {
    const instanceIds = [instanceIdAt(detail, 'instance-id', 'detail')];
    if (!leaving.includes(textAt(detail, 'state', 'detail'))) return undefined;
    return { kind: 'interruption', cause: 'stateChange', instanceIds, at };
  },
};
