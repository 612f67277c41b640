import { instanceIdAt } from './event-fields';
import { interruptionSource } from './event-source';

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
