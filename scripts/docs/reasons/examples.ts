import type { LIKE_REASONS, SHARES } from '../../../shared/core/basics/like-reasons';
import type { REASONS, SIZES } from '../../../shared/core/basics/reasons';
import type { MissingCause } from '../../../shared/core/karpenter/why-missing';
import type { LATE } from '../../../shared/core/occurrences/why-late';
import type { VERDICTS } from '../../../shared/drawing/occurrence-text';
import type { Examples } from './sentence';

export const ZONE = 'Asia/Seoul';

/** A clock of one day in Seoul. */
export function at(clock: string): number {
  return Date.parse(`2026-11-17T${clock}:00+09:00`);
}

const LIVE = { since: at('09:02'), by: 'argocd-controller', earlyMinutes: 1 };
const LUNCH = { name: 'lunch', start: at('11:30'), isOpen: true };
const PEAK = {
  name: 'event:campaign spring-sale',
  start: at('18:00'),
  end: at('20:00'),
  live: { since: at('17:12'), by: 'shop.cms' },
};
const OVERRIDE = { by: 'console', until: at('13:29'), reason: 'flash sale' };
const STORM = { notices: 2, isFull: false, causes: ['spot'], add: 2, isMost: false, until: at('12:10') };
const EDITED = '2026-11-17T00:02:00Z';

export const REASON_EXAMPLES: Examples<typeof REASONS> = {
  base: [
    ['nothing asks for more than `base`', '1 node'],
    ['`base` was edited in the cluster', '2 nodes', LIVE],
  ],
  window: [
    ['a window is open', LUNCH, '6 nodes'],
    ['its lead time has begun', { ...LUNCH, isOpen: false }, '6 nodes'],
    ['it adds nodes to those that there were', LUNCH, '2 nodes + 6 = 8'],
    ['its lead time is learned', LUNCH, '6 nodes', ', requested 4 min ahead: 95 % of the last 24 nodes took less'],
    ['it was edited in the cluster', { ...LUNCH, live: LIVE }, '6 nodes'],
    ['it was written when its lead time had begun', { ...LUNCH, live: LIVE, isKnownLate: true }, '6 nodes'],
  ],
  peak: [
    ['an event announced a peak', PEAK, '6 nodes'],
    ['it was announced when its lead time had begun', { ...PEAK, isKnownLate: true }, '6 nodes'],
  ],
  override: [
    ['`inflate --nodes 10`', OVERRIDE, '8 → 10'],
    ['`inflate --more 6`', OVERRIDE, '2 nodes + 6 = 8'],
    ['`inflate --nodes 0 --exactly`', OVERRIDE, 'exactly 0'],
  ],
  alarm: [
    ['an alarm is in ALARM', 'queue', '+2', Number.POSITIVE_INFINITY],
    ['it was, and its hold counts', 'queue', '+2', at('12:10')],
    ['it adds nodes to those that there were', 'queue', '2 nodes + 2 = 4', Number.POSITIVE_INFINITY],
  ],
  surge: [
    ['nodes are about to be taken', STORM],
    ['as many as `interruptions.max` allows, or more', { ...STORM, notices: 6, isFull: true, add: 6, isMost: true }],
    ['for several causes', { ...STORM, causes: ['spot', 'rebalance'] }],
    ['for another cause', { ...STORM, notices: 1, causes: ['capacityReservation'], add: 1 }],
  ],
  limited: [['more is asked for than `max`', 8]],
  addsAtMost: [['a floor would add more than `max`', 8]],
  addsToAssumed: [['the count of a floor was lost, and more is asked for than was decided before', 6]],
  held: [
    ['the record cannot be read', 5],
    ['the baseline cannot be counted', 5, 'the NodeClaims cannot be counted'],
  ],
  scaledByHand: [
    ['somebody scaled the Deployment', 3],
    ['and is known by name', 3, 'kubectl-scale'],
  ],
  liveRefused: [
    ['a text with an error', EDITED, undefined, 'schedules.yaml 4:7: start is not a cron expression'],
    ['an older text counts', EDITED, '2026-11-16T00:02:00Z', 'schedules.yaml 4:7: start is not a cron expression'],
  ],
  liveUnread: [
    [
      'the ConfigMap cannot be read',
      EDITED,
      '2026-11-16T00:02:00Z',
      'ConfigMap headroom-schedules cannot be read: 403',
    ],
  ],
  liveBroken: [['somebody edited the annotation by hand', '{"base":"two"}']],
  liveGone: [['the ConfigMap was deleted', EDITED, '2026-11-16T00:02:00Z']],
  liveUncounted: [['a deploy has made it impossible', '26 windows have addNodes; write at most 25']],
};

export const LIKE_REASON_EXAMPLES: Examples<typeof LIKE_REASONS> = {
  unshaped: [['nothing is known of the workload yet', 'shop/checkout']],
  uncounted: [['why a size is held: a share has opened', 'shop/checkout']],
  unread: [
    ['the workload cannot be read, or has no shape', 'shop/checkout', '2026-11-16T00:02:00Z', 'it does not exist'],
  ],
  broken: [['somebody edited the annotation by hand', '{"base":"two"}']],
};

export const SHARE_EXAMPLES: Examples<typeof SHARES> = {
  counted: [['the replicas of the workload were counted', 25, 'shop/checkout', 40, 10]],
  uncounted: [
    ['the replicas are still to be counted', 25, 'shop/checkout'],
    ['in a plan: when they will be', 25, 'shop/checkout', at('11:25')],
  ],
};

export const SIZE_EXAMPLES: Examples<typeof SIZES> = {
  raised: [['without the override, and with it', 8, '10']],
  exactly: [['an override that pins', '0']],
  counted: [
    ['the baseline, what is added, and the sum', { nodes: 2 }, 6],
    ['the count was lost', { nodes: 2, assumed: 12 }, 6],
  ],
  uncounted: [
    ['the baseline is still to be counted', 6],
    ['in a plan: when it will be', 6, at('11:25')],
  ],
  requested: [
    ['`leadTime: auto`', 4, '…'],
    ['it became known after its start', 0, '…'],
  ],
  startValue: [['few nodes are known', 2, 5]],
  learned: [
    ['enough are', 24, 'less'],
    ['they take longer than it was requested ahead', 24, 'up to 6 min'],
  ],
};

const WINDOW = 'lunch (11:30 Asia/Seoul)';

export const VERDICT_EXAMPLES: Examples<typeof VERDICTS> = {
  coming: [['before its start', WINDOW, 0]],
  ready: [
    ['in time', WINDOW, 3],
    ['just in time', WINDOW, 0],
  ],
  late: [['late', WINDOW, 4]],
  lateSoFar: [
    ['late, and still not there', WINDOW, 4],
    ['at its start', WINDOW, 0],
  ],
  never: [['it ended without them', WINDOW, 0]],
};

export const LATE_EXAMPLES: Examples<typeof LATE> = {
  noNodePool: [['the NodePool does not exist', 'default']],
  notReady: [['it is not ready', 'default', 'NodeClassNotReady']],
  podsRejected: [['a quota or webhook', 'exceeded quota: pods']],
  limitReached: [['its limit is reached', 'default', { resource: 'cpu', used: '64', limit: '64' }]],
  starting: [
    ['one node is on its way', 1, at('11:26')],
    ['several are', 3, at('11:26'), 'Registered'],
  ],
  unread: [['the NodeClaims cannot be read']],
  noneStarting: [['nothing is on its way']],
};

export const MISSING: { readonly [Kind in MissingCause['kind']]: MissingCause & { readonly kind: Kind } } = {
  poolMissing: { kind: 'poolMissing', nodePool: 'default' },
  poolNotReady: { kind: 'poolNotReady', nodePool: 'default', why: 'NodeClassNotReady' },
  limitReached: { kind: 'limitReached', nodePool: 'default', resource: 'cpu', used: '64', limit: '64' },
  podsNotCreated: { kind: 'podsNotCreated', why: 'exceeded quota: pods' },
  nodesNotJoining: { kind: 'nodesNotJoining', count: 2, why: 'node not registered with cluster' },
  podsPending: { kind: 'podsPending', count: 6, why: 'no instance type has enough resources' },
  podsNotStarting: { kind: 'podsNotStarting', count: 1, why: 'ImagePullBackOff' },
};
