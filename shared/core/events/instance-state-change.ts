import { interruptionSource, passes } from './event-source';
import { instanceIdAt, textAt } from './fields';

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

export const sample = {
  version: '0',
  id: '1e5527d7-bb36-4607-3370-4164db56a40e',
  'detail-type': 'EC2 Instance State-change Notification',
  source: 'aws.ec2',
  account: '123456789012',
  time: '2026-11-16T03:00:00Z',
  region: 'ap-northeast-2',
  resources: [],
  detail: {
    'instance-id': 'i-0a1b2c3d4e5f60001',
    state: 'shutting-down',
  },
};
