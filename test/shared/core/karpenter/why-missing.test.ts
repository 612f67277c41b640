import type { CapacityFacts, PoolFacts } from '../../../../shared/core/karpenter/capacity-facts';
import { causeText, whyMissing } from '../../../../shared/core/karpenter/why-missing';
import { NOW } from '../../../cli/run-cli';
import { golden } from '../../../golden/golden';

const said = golden(`${__dirname}/why-missing.txt`);
const ROOM = { unit: { kind: 'node', requests: { cpu: '1' } } } as const;
const FLOOR = { unit: { kind: 'floor', requests: {} }, minNode: { cpu: 4 } } as const;
const PENDING = { name: 'a', ready: false, unschedulable: 'no room' };

function poolWith(change: Partial<PoolFacts>): CapacityFacts['pool'] {
  return { ok: true, value: { limits: {}, used: {}, conditions: [], ...change } };
}

function facts(change: Partial<CapacityFacts>): CapacityFacts {
  return {
    headroom: 'web',
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
  test.each<{ name: string; change: Partial<CapacityFacts> }>([
    { name: 'nothing while all pods run', change: { pods: [{ name: 'a', node: 'n', ready: true }] } },
    { name: 'what the scheduler said', change: {} },
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
    },
    {
      name: 'nothing of the scheduler while nodes come',
      change: { claims: [claim(NOW - 20_000, { type: 'Initialized', status: 'Unknown' })] },
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
    },
    {
      name: 'the newest that Karpenter said of a pod, and of each pod its own',
      change: {
        pods: [PENDING, { name: 'b', ready: false }, { name: 'c', node: 'n', ready: false, unschedulable: 'before' }],
        events: [
          { pod: 'a', from: 'karpenter', message: 'older' },
          { pod: 'a', from: 'karpenter', message: 'newer,\nrequirements=x, requirements=y\nz' },
          { pod: 'b', from: 'default-scheduler', message: 'first' },
          { pod: 'b', from: 'default-scheduler', message: 'last' },
          { pod: 'c', from: 'karpenter', message: 'of a pod that runs' },
        ],
      },
    },
    {
      name: 'nothing of a pod about which nothing is known',
      change: { pods: [{ name: 'a', ready: false }] },
    },
    {
      name: 'pods that do not start, apart from those that wait',
      change: { pods: [PENDING, { name: 'b', node: 'n', ready: false, waiting: 'ErrImagePull: 404' }] },
    },
    {
      name: 'a step of a node that failed, not one that says nothing or that is none',
      change: {
        pods: [],
        claims: [
          claim(NOW, { type: 'Registered', status: 'False', message: 'no access' }),
          claim(NOW, { type: 'Initialized', status: 'False', message: 'taints 1' }),
          claim(NOW, { type: 'Initialized', status: 'False', message: 'taints 22' }),
          claim(NOW, { type: 'Launched', status: 'False' }),
          claim(NOW, { type: 'Consolidatable', status: 'False', message: 'in use' }),
          claim(NOW, { type: 'Launched', status: 'True', message: 'fine' }),
        ],
      },
    },
    {
      name: 'a node that is late from three minutes on, and why, unless it has joined',
      change: {
        pods: [],
        claims: [
          claim(NOW - 179_999, { type: 'Drifted', status: 'Unknown', message: 'just in time' }),
          claim(
            NOW - 180_000,
            { type: 'Launched', status: 'True', message: 'fine' },
            { type: 'Drifted', status: 'Unknown', message: 'late' },
          ),
          claim(NOW - 180_000, { type: 'Registered', status: 'Unknown' }),
          claim(
            NOW - 180_000,
            { type: 'Initialized', status: 'True' },
            { type: 'Drifted', status: 'Unknown', message: 'joined' },
          ),
        ],
      },
    },
    {
      name: 'what the scheduler said where every node has joined, or none comes for minutes',
      change: {
        claims: [
          claim(NOW - 20_000, { type: 'Other', status: 'Unknown' }, { type: 'Initialized', status: 'True' }),
          claim(NOW - 180_000),
        ],
      },
    },
    {
      name: 'nothing of the scheduler while one node comes that is not initialized for another reason',
      change: {
        claims: [
          claim(NOW - 179_999, { type: 'Registered', status: 'True' }, { type: 'Initialized', status: 'False' }),
        ],
      },
    },
    {
      name: 'limits that one more pod does not fit in',
      change: { pool: poolWith({ limits: { cpu: '10', nodes: '9' }, used: { cpu: '9500m', nodes: '3' } }) },
    },
    {
      name: 'no limits that Karpenter named for another pod, or for a pod that runs',
      change: {
        pods: [PENDING, { name: 'b', node: 'n', ready: true }],
        pool: poolWith({ limits: { cpu: '10' }, used: { cpu: '8' } }),
        events: [
          { pod: 'z', from: 'karpenter', message: 'all exceed limits' },
          { pod: 'b', from: 'karpenter', message: 'all exceed limits' },
          { pod: 'a', from: 'karpenter', message: 'no limits' },
        ],
      },
    },
    {
      name: 'no limits while no pod waits',
      change: {
        pods: [{ name: 'a', node: 'n', ready: true }],
        pool: poolWith({ limits: { cpu: '10' }, used: { cpu: '10' } }),
      },
    },
    {
      name: 'a NodePool that is not there',
      change: { pool: { ok: true, value: undefined }, pods: [] },
    },
    {
      name: 'nothing of a NodePool that may not be read',
      change: { pool: { ok: false } },
    },
    {
      name: 'a NodePool that is not ready',
      change: {
        pool: poolWith({ conditions: [{ type: 'Ready', status: 'False', message: 'no NodeClass' }] }),
        pods: [],
      },
    },
    {
      name: 'a NodePool that is not ready by its reason or its condition, and none that is ready',
      change: {
        pool: poolWith({
          conditions: [
            { type: 'Other', status: 'False' },
            { type: 'Ready', status: 'Unknown' },
          ],
        }),
        pods: [],
      },
    },
    {
      name: 'nothing of other conditions of a Deployment',
      change: {
        pods: [],
        conditions: [
          { type: 'Progressing', status: 'True' },
          { type: 'ReplicaFailure', status: 'False', reason: 'Gone' },
        ],
      },
    },
    {
      name: 'pods that may not be created, by the reason alone',
      change: { pods: [], conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate' }] },
    },
    {
      name: 'pods that may not be created',
      change: { pods: [], conditions: [{ type: 'ReplicaFailure', status: 'True', message: 'exceeded quota' }] },
    },
  ])('tells $name', ({ name, change }) => {
    said(name, whyMissing(facts(change), ROOM, NOW).map(causeText).join('\n'));
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

  test('holds a NodePool that the config does not name against its limits, as if its pods asked for nothing', () => {
    const at = (used: string) =>
      facts({ pods: [{ name: 'a', ready: false }], pool: poolWith({ limits: { cpu: '8' }, used: { cpu: used } }) });
    expect(['8', '9'].map((used) => whyMissing(at(used), undefined, NOW).map(causeText))).toEqual([
      [],
      ['NodePool web uses 9 of its limit of 8 cpu: raise spec.limits.cpu'],
    ]);
  });
});
