import type { NodeView } from '../../../console/snapshot/snapshot';
import { type Choice, spotInstances } from '../../../console/sources/real-cluster-source';
import type { NodeClaim } from '../../../simulator/kube/objects';

function node(name: string, change: Partial<NodeView> = {}): NodeView {
  return { name, pool: 'p', instanceType: 't', zone: 'z', spot: true, state: 'ready', since: 0, load: 0, ...change };
}

function claim(nodeName: string, providerID: string): NodeClaim {
  return { status: { nodeName, providerID } } as NodeClaim;
}

const NODES = [
  node('on-demand', { spot: false }),
  node('starting', { state: 'launching' }),
  node('one'),
  node('two'),
  node('three'),
];
const CLAIMS = [
  claim('three', 'aws:///zone/i-3'),
  claim('two', 'kwok://two'),
  claim('one', 'aws:///zone/i-1'),
  claim('on-demand', 'aws:///zone/i-0'),
];

test.each<{ name: string; choice: Choice; ids: string[] }>([
  { name: 'the first ready spot node', choice: 'first', ids: ['i-1'] },
  { name: 'a node by its name', choice: { name: 'three' }, ids: ['i-3'] },
  { name: 'a node that is not there', choice: { name: 'gone' }, ids: [] },
  { name: 'a node without an EC2 instance', choice: { name: 'two' }, ids: [] },
  { name: 'a share, rounded up, of the ready spot nodes', choice: { share: 0.5 }, ids: ['i-1'] },
  { name: 'all of them', choice: { share: 1 }, ids: ['i-3', 'i-1'] },
])('notices go to $name', ({ choice, ids }) => {
  expect(spotInstances(choice, NODES, CLAIMS)).toEqual(ids);
});
