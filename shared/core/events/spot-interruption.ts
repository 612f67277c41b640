import { interruptionSource } from './event-source';
import { instanceIdAt } from './fields';

/** @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-instance-termination-notices.html */
export const spotInterruption = interruptionSource({
  source: 'aws.ec2',
  detailType: 'EC2 Spot Instance Interruption Warning',
  cause: 'spot',
  onByDefault: true,
  meaning: 'EC2 reclaims a spot instance in two minutes',
  instances: (detail) => [instanceIdAt(detail, 'instance-id', 'detail')],
});

export const sample = {
  version: '0',
  id: '1e5527d7-bb36-4607-3370-4164db56a40e',
  'detail-type': 'EC2 Spot Instance Interruption Warning',
  source: 'aws.ec2',
  account: '123456789012',
  time: '2026-11-16T03:00:00Z',
  region: 'ap-northeast-2',
  resources: ['arn:aws:ec2:ap-northeast-2a:instance/i-0a1b2c3d4e5f60001'],
  detail: {
    'instance-id': 'i-0a1b2c3d4e5f60001',
    'instance-action': 'terminate',
  },
};
