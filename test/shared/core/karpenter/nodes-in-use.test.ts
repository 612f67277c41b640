import { floorUses, nodeUses, type UsingPod } from '../../../../shared/core/karpenter/nodes-in-use';

const on = (nodeName: string, more: UsingPod = {}): UsingPod => ({ spec: { nodeName }, ...more });
const floorOf = (headroom: string, node: string) =>
  on(node, { metadata: { labels: { 'headstart.dev/headroom': headroom } } });

describe('how much of a floor runs work', () => {
  test.each<{ name: string; pods: readonly UsingPod[]; inUse: number }>([
    { name: 'an empty node does not', pods: [], inUse: 0 },
    { name: 'a node with work does, once', pods: [on('a'), on('a')], inUse: 1 },
    { name: 'work on other nodes is not the floor’s', pods: [on('z')], inUse: 0 },
    { name: 'a pod without a node uses none', pods: [{ spec: {} }, {}], inUse: 0 },
    {
      name: 'a pod of a ReplicaSet is work',
      pods: [on('a', { metadata: { ownerReferences: [{ kind: 'ReplicaSet' }] }, status: { phase: 'Running' } })],
      inUse: 1,
    },
    {
      name: 'a pod that has ended uses none',
      pods: [on('a', { status: { phase: 'Succeeded' } }), on('b', { status: { phase: 'Failed' } })],
      inUse: 0,
    },
    {
      name: 'what comes with every node is not work',
      pods: ['DaemonSet', 'Node'].map((kind) => on('a', { metadata: { ownerReferences: [{ kind }] } })),
      inUse: 0,
    },
    { name: 'another headroom, on the same NodePool or not, is not work', pods: [floorOf('ci', 'a')], inUse: 0 },
    { name: 'every node may run work', pods: [on('a'), on('b')], inUse: 2 },
  ])('$name', ({ pods, inUse }) => {
    const uses = [...pods, floorOf('web', 'a'), floorOf('web', 'b')].flatMap(nodeUses);
    expect(floorUses(uses).get('web')).toEqual({ nodes: 2, inUse });
  });
});

test('a pod tells its node, and whose headroom it is', () => {
  expect([{}, on('a'), floorOf('web', 'b')].map(nodeUses)).toStrictEqual([
    [],
    [{ node: 'a' }],
    [{ node: 'b', headroomOf: 'web' }],
  ]);
});
