import { instanceIdAt } from '../../../../../shared/core/events/event-fields';
import { interruptionSource } from '../../../../../shared/core/events/event-source';

/** An event that AWS does not have, written exactly as a new one would be. */
export const meteorStrike = interruptionSource({
  source: 'aws.sky',
  detailType: 'EC2 Instance Meteor Strike Warning',
  filter: { size: ['large', 'huge'] },
  cause: 'meteor',
  onByDefault: false,
  meaning: 'a meteor is about to hit an instance',
  instances: (detail) => [instanceIdAt(detail, 'instance-id', 'detail')],
});

export const sample = {
  source: 'aws.sky',
  'detail-type': 'EC2 Instance Meteor Strike Warning',
  time: '2026-11-16T03:00:00Z',
  detail: { 'instance-id': 'i-0a1b2c3d4e5f60001', size: 'huge' },
};
