import { interruptionSource } from './event-source';
import { instanceIdAt } from './fields';

/**
 * An earlier, weaker signal than the interruption warning; Karpenter does not act on it.
 *
 * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/rebalance-recommendations.html
 */
export const rebalanceRecommendation = interruptionSource({
  source: 'aws.ec2',
  detailType: 'EC2 Instance Rebalance Recommendation',
  cause: 'rebalance',
  onByDefault: true,
  meaning: 'a spot instance is at elevated risk of interruption',
  instances: (detail) => [instanceIdAt(detail, 'instance-id', 'detail')],
});

export const sample = {
  version: '0',
  id: '1e5527d7-bb36-4607-3370-4164db56a40e',
  'detail-type': 'EC2 Instance Rebalance Recommendation',
  source: 'aws.ec2',
  account: '123456789012',
  time: '2026-11-16T03:00:00Z',
  region: 'ap-northeast-2',
  resources: ['arn:aws:ec2:ap-northeast-2a:instance/i-0a1b2c3d4e5f60001'],
  detail: {
    'instance-id': 'i-0a1b2c3d4e5f60001',
  },
};
