import { CAPACITY_RESERVATION_INTERRUPTION } from './aws-detail-types';
import type { EventSource } from './event-source';
import { instanceIdAt } from './fields';

/** Two minutes' warning before an interruptible capacity reservation is reclaimed. */
export const capacityReservation: EventSource = {
  ...CAPACITY_RESERVATION_INTERRUPTION,
  read: (detail, at) => ({
    kind: 'interruption',
    cause: 'capacityReservation',
    instanceIds: [instanceIdAt(detail, 'instance-id', 'detail')],
    at,
  }),
};
