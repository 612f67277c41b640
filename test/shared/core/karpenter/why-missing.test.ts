import type { CapacityFacts, PoolFacts } from '../../../../shared/core/karpenter/capacity-facts';
import { causeText, whyMissing } from '../../../../shared/core/karpenter/why-missing';
import { NOW } from '../../../cli/run-cli';

const ROOM = { unit: { kind: 'node', requests: { cpu: '1' } } } as const;
const FLOOR = { unit: { kind: 'floor', requests: {} }, minNode: { cpu: 4 } } as const;
const PENDING = { name: 'a', ready: false, unschedulable: 'no room' };

function poolWith(change: Partial<PoolFacts>): CapacityFacts['pool'] {
  return { ok: true, value: { limits: {}, used: {}, conditions: [], ...change } };
}

function facts(change: Partial<CapacityFacts>): CapacityFacts {
  return {
    nodePool: 'web',
    pods: [PENDING],
    nodes: [],
    claims: [],
    pool: poolWith({}),
    conditions: [],
    events: [],
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
    { name: 'what the scheduler said', change: {}, says: ['1 pause pod pending: no room'] },
    {
      name: 'what the scheduler said once, however many nodes there were when it said so',
      change: {
        pods: [
          {
            name: 'a',
            ready: false,
            unschedulable: "0/39 nodes are available: 34 node(s) didn't match, 5 Insufficient cpu.",
          },
          {
            name: 'b',
            ready: false,
            unschedulable: "0/63 nodes are available: 5 Insufficient cpu, 58 node(s) didn't match.",
          },
          { name: 'c', ready: false, unschedulable: '0/63 nodes are available: 63 Insufficient memory.' },
        ],
      },
      says: [
        "2 pause pods pending: 0/63 nodes are available: 5 Insufficient cpu, 58 node(s) didn't match.",
        '1 pause pod pending: 0/63 nodes are available: 63 Insufficient memory.',
      ],
    },
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
      says: ['1 pause pod pending: exceeds limits'],
    },
    {
      name: 'a launch that failed',
      change: {
        claims: [claim(NOW - 20_000, { type: 'Launched', status: 'False', message: 'insufficient capacity' })],
      },
      says: ['1 node not joining: insufficient capacity'],
    },
    {
      name: 'a node that does not join for minutes',
      change: {
        claims: [claim(NOW - 240_000, { type: 'Registered', status: 'Unknown', message: 'node not registered' })],
      },
      says: ['1 node not joining: node not registered', '1 pause pod pending: no room'],
    },
    {
      name: 'nothing of a node that has not joined yet, and began a moment ago',
      change: {
        claims: [claim(NOW - 20_000, { type: 'Registered', status: 'Unknown', message: 'node not registered' })],
      },
      says: [],
    },
    {
      name: 'limits that one more pod does not fit in',
      change: { pool: poolWith({ limits: { cpu: '10', nodes: '9' }, used: { cpu: '9500m', nodes: '3' } }) },
      says: ['NodePool web uses 9500m of its limit of 10 cpu: raise spec.limits.cpu', '1 pause pod pending: no room'],
    },
    {
      name: 'limits that Karpenter itself names, without its list of requirements',
      change: {
        pool: poolWith({ limits: { cpu: '10' }, used: { cpu: '8' } }),
        events: [{ pod: 'a', from: 'karpenter', message: 'all exceed limits, requirements=a In [b], c In [d]' }],
      },
      says: [
        'NodePool web uses 8 of its limit of 10 cpu: raise spec.limits.cpu',
        '1 pause pod pending: all exceed limits',
      ],
    },
    {
      name: 'a NodePool that is not there',
      change: { pool: { ok: true, value: undefined }, pods: [] },
      says: ['NodePool web does not exist, so Karpenter launches no nodes for it: create it, or correct the name'],
    },
    {
      name: 'nothing of a NodePool that may not be read',
      change: { pool: { ok: false } },
      says: ['1 pause pod pending: no room'],
    },
    {
      name: 'a NodePool that is not ready',
      change: {
        pool: poolWith({ conditions: [{ type: 'Ready', status: 'False', message: 'no NodeClass' }] }),
        pods: [],
      },
      says: ['NodePool web is not ready: no NodeClass'],
    },
    {
      name: 'pods that may not be created',
      change: { pods: [], conditions: [{ type: 'ReplicaFailure', status: 'True', message: 'exceeded quota' }] },
      says: ['pods cannot be created: exceeded quota'],
    },
  ])('tells $name', ({ change, says }) => {
    expect(whyMissing(facts(change), ROOM, NOW).map(causeText)).toEqual(says);
  });

  test.each([
    { used: '4', says: [] },
    {
      used: '5',
      says: ['NodePool web uses 5 of its limit of 8 cpu: raise spec.limits.cpu'],
    },
  ])('holds a floor’s node of 4 cpu against the limit where $used of 8 are used', ({ used, says }) => {
    const found = facts({
      pods: [{ name: 'a', ready: false }],
      pool: poolWith({ limits: { cpu: '8' }, used: { cpu: used } }),
    });
    expect(whyMissing(found, FLOOR, NOW).map(causeText)).toEqual(says);
  });
});
