import { instanceIdAt } from './event-fields';
import { interruptionSource } from './event-source';

/** @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/monitor-interruptible-cr.html */
export const capacityReservation = interruptionSource({
  source: 'aws.ec2',
  detailType: 'EC2 Capacity Reservation Instance Interruption Warning',
  cause: 'capacityReservation',
  onByDefault: true,
  meaning: 'an interruptible capacity reservation is reclaimed in two minutes',
  instances: (detail) => [instanceIdAt(detail, 'instance-id', 'detail')],
});
