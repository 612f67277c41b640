import { instanceIdAt } from './event-fields';
import { interruptionSource } from './event-source';

/** @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-instance-termination-notices.html */
export const spotInterruption = interruptionSource({
  source: 'aws.ec2',
  detailType: 'EC2 Spot Instance Interruption Warning',
  cause: 'spot',
  onByDefault: true,
  meaning: 'EC2 reclaims a spot instance in two minutes',
  instances: (detail) => [instanceIdAt(detail, 'instance-id', 'detail')],
});
