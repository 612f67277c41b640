import { instanceIdAt, textAt } from './event-fields';
import { interruptionSource, passes } from './event-source';

/** The states of an instance that is going away. */
const filter = { state: ['stopping', 'stopped', 'shutting-down', 'terminated'] };

/**
 * Off by default: Karpenter's own scale-down causes these events too.
 *
 * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/monitoring-instance-state-changes.html
 */
export const instanceStateChange = interruptionSource({
  source: 'aws.ec2',
  detailType: 'EC2 Instance State-change Notification',
  filter,
  cause: 'stateChange',
  onByDefault: false,
  meaning: 'an instance stops or terminates without a warning',
  instances: (detail) => {
    const instanceId = instanceIdAt(detail, 'instance-id', 'detail');
    textAt(detail, 'state', 'detail');
    return passes(filter, detail) ? [instanceId] : [];
  },
});
