import type { CapacityFacts } from '../../../cli/access/capacity-facts';
import { whyMissing } from '../../../cli/access/why-missing';
import { NOW } from '../run-cli';

const UNIT = { kind: 'node', requests: { cpu: '1' } } as const;
const PENDING = { name: 'a', ready: false, unschedulable: 'no room' };

function facts(change: Partial<CapacityFacts>): CapacityFacts {
  const pool = { limits: {}, used: {}, conditions: [] };
  return {
    nodePool: 'web',
    pods: [PENDING],
    nodes: [],
    claims: [],
    pool,
    conditions: [],
    events: [],
    unread: [],
    ...change,
  };
}

const claim = (createdAt: number, ...conditions: { type: string; status: string; message?: string }[]) => ({
  name: 'c',
  createdAt,
  conditions,
});

describe('whyMissing', () => {
  test.each<{ name: string; change: Partial<CapacityFacts>; says: readonly string[] }>([
    { name: 'nothing while all pods run', change: { pods: [{ name: 'a', node: 'n', ready: true }] }, says: [] },
    { name: 'what the scheduler said', change: {}, says: ['1 pause pod without a place: no room'] },
    {
      name: 'nothing of the scheduler while nodes come',
      change: { claims: [claim(NOW - 20_000, { type: 'Initialized', status: 'Unknown' })] },
      says: [],
    },
    {
      name: 'what Karpenter said, also while nodes come',
      change: {
        claims: [claim(NOW - 20_000)],
        events: [
          { pod: 'a', from: 'karpenter', message: 'exceeds limits' },
          { pod: 'a', from: 'default-scheduler', message: 'no room' },
        ],
      },
      says: ['1 pause pod without a place: exceeds limits'],
    },
    {
      name: 'a launch that failed',
      change: {
        claims: [claim(NOW - 20_000, { type: 'Launched', status: 'False', message: 'insufficient capacity' })],
      },
      says: ['1 node not coming up: insufficient capacity'],
    },
    {
      name: 'a node that does not join for minutes',
      change: {
        claims: [claim(NOW - 240_000, { type: 'Registered', status: 'Unknown', message: 'node not registered' })],
      },
      says: ['1 node not coming up: node not registered', '1 pause pod without a place: no room'],
    },
    {
      name: 'limits that one more pod does not fit in',
      change: { pool: { limits: { cpu: '10', nodes: '9' }, used: { cpu: '9500m', nodes: '3' }, conditions: [] } },
      says: [
        'NodePool web has used 9500m of its limit of 10 cpu: raise spec.limits.cpu',
        '1 pause pod without a place: no room',
      ],
    },
    {
      name: 'limits that Karpenter itself names, without its list of requirements',
      change: {
        pool: { limits: { cpu: '10' }, used: { cpu: '8' }, conditions: [] },
        events: [{ pod: 'a', from: 'karpenter', message: 'all exceed limits, requirements=a In [b], c In [d]' }],
      },
      says: [
        'NodePool web has used 8 of its limit of 10 cpu: raise spec.limits.cpu',
        '1 pause pod without a place: all exceed limits',
      ],
    },
    {
      name: 'a NodePool that is not there',
      change: { unread: ['NodePool: GET /apis/karpenter.sh/v1/nodepools/web: 404 NotFound: gone'], pods: [] },
      says: ['NodePool web does not exist, so Karpenter buys nothing for it: create it, or correct the name'],
    },
    {
      name: 'pods that may not be created',
      change: { pods: [], conditions: [{ type: 'ReplicaFailure', status: 'True', message: 'exceeded quota' }] },
      says: ['pods cannot be created: exceeded quota'],
    },
  ])('tells $name', ({ change, says }) => {
    expect(whyMissing(facts(change), UNIT, NOW)).toEqual(says);
  });
});
