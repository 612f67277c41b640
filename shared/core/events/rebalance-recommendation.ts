import { REBALANCE_RECOMMENDATION } from './aws-detail-types';
import type { EventSource } from './event-source';
import { instanceIdAt } from './fields';

/** A spot instance at elevated risk: the earlier and weaker hint, on which Karpenter itself does not act. */
export const rebalanceRecommendation: EventSource = {
  ...REBALANCE_RECOMMENDATION,
  read: (detail, at) => ({
    kind: 'interruption',
    cause: 'rebalance',
    instanceIds: [instanceIdAt(detail, 'instance-id', 'detail')],
    at,
  }),
};
