import { SPOT_INTERRUPTION } from './aws-detail-types';
import type { EventSource } from './event-source';
import { instanceIdAt } from './fields';

/** Two minutes' warning before EC2 takes a spot instance back. */
export const spotInterruption: EventSource = {
  ...SPOT_INTERRUPTION,
  read: (detail, at) => ({
    kind: 'interruption',
    cause: 'spot',
    instanceIds: [instanceIdAt(detail, 'instance-id', 'detail')],
    at,
  }),
};
