import { MAX_STARTS } from '../../../../shared/core/basics/record-limits';
import { nodeClaimsOnce } from '../../../../shared/core/observe/node-claims';
import type { NodeClaim, NodeStart } from '../../../../shared/core/ports/ports';
import { FakeCluster } from '../../../fakes/fake-cluster';
import { configOf } from '../../../fakes/fake-runtime';

const NOW = Date.parse('2026-11-17T03:00:00Z');
const LUNCH = '{name: lunch, timezone: UTC, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: 2}';
const config = configOf(`  web: {max: 8, unit: {floor: {cpu: 4}}, schedules: [${LUNCH}]}\n  batch: {max: 5}\n`);
const [web, batch] = config.headrooms;
if (!web || !batch) throw new Error('no NodePool');

const pod = { nodeSelector: { size: 'large' }, expressions: [], tolerations: [] };
const shape = (size: string, more = {}) => ({
  shape: { labels: { size }, taints: [], deleting: false, launched: true, ...more },
});
const start = (id: string, createdAt: number, initializedAt?: number, nodePool = 'web'): NodeStart => ({
  nodePool,
  id,
  createdAt,
  deleting: false,
  ...(initializedAt !== undefined && { initializedAt }),
});
const notice = (...instanceIds: string[]) => ({
  event: { kind: 'interruption', cause: 'spot', instanceIds, at: NOW } as const,
});

/** A list that expires so many times after its first NodeClaim. */
function clusterOf(claims: readonly NodeClaim[], expiries = 0): FakeCluster {
  const cluster = new FakeCluster();
  cluster.readNodeClaims = async (begin) => {
    cluster.calls.push('nodeClaims');
    for (let i = 0; i < expiries; i += 1) claims.slice(0, 1).forEach(begin());
    claims.forEach(begin());
  };
  return cluster;
}

test('one look serves all who ask, and nobody looks before', async () => {
  const cluster = clusterOf([shape('large')]);
  const { all: look } = nodeClaimsOnce(config, cluster);
  expect(cluster.calls).toEqual([]);
  expect((await Promise.all([look(), look()])).map((seen) => seen.countFor(pod))).toEqual([1, 1]);
  await look();
  expect(cluster.calls).toEqual(['nodeClaims']);
});

test('of the instances only those are kept that the events name', async () => {
  const claims = ['i-1', 'i-2', 'i-3'].map((instanceId) => ({
    facts: { instanceId, nodePool: 'web', deleting: false },
  }));
  const named = await nodeClaimsOnce(config, clusterOf(claims), [notice('i-1', 'i-9'), notice('i-3')]).named();
  expect([...named.keys()]).toEqual(['i-1', 'i-3']);
});

test('nodes count by what they are, those that go away do not', async () => {
  const claims = [shape('large'), shape('small'), shape('large'), shape('large', { deleting: true })];
  expect((await nodeClaimsOnce(config, clusterOf(claims)).all()).countFor(pod)).toBe(2);
});

test('a list that begins anew counts nothing twice', async () => {
  const facts = { instanceId: 'i-1', nodePool: 'web', deleting: false };
  const claims = [{ ...shape('large'), facts, start: start('a', NOW) }];
  const lists = nodeClaimsOnce(config, clusterOf(claims, 2), [notice('i-1')]);
  const [named, all] = await Promise.all([lists.named(), lists.all()]);
  expect([all.countFor(pod), all.startsOf(web).length, named.size]).toEqual([1, 1, 1]);
});

test.each([
  { name: 'a floor may stand on the nodes of any NodePool', unit: '{floor: {cpu: 4}}', asked: {} },
  { name: 'else only their NodePools are read', unit: '{node: {cpu: 4}}', asked: { nodePools: ['web', 'batch'] } },
])('$name', async ({ unit, asked }) => {
  const given = configOf(`  web: {max: 8, unit: ${unit}, schedules: [${LUNCH}]}\n  batch: {max: 5}\n`);
  const cluster = new FakeCluster();
  const read = jest.spyOn(cluster, 'readNodeClaims');
  await nodeClaimsOnce(given, cluster).all();
  expect(read).toHaveBeenCalledWith(expect.any(Function), asked);
});

const [NODE, FLOOR] = ['{node: {cpu: 4}}', '{floor: {cpu: 4}}'];

test.each([
  { name: 'for notices only the instances are read', unit: NODE, causes: ['spot'], reads: [{ instancesOnly: true }] },
  {
    name: 'whether a node that changes its state is deleted',
    unit: NODE,
    causes: ['spot', 'stateChange'],
    reads: [{}],
  },
  { name: 'where a floor may have to be counted, one list serves both', unit: FLOOR, causes: ['spot'], reads: [{}] },
] as const)('$name', async ({ unit, causes, reads }) => {
  const cluster = new FakeCluster();
  const read = jest.spyOn(cluster, 'readNodeClaims');
  const events = causes.map((cause) => ({ event: { ...notice('i-1').event, cause } }));
  const lists = nodeClaimsOnce(configOf(`  web: {max: 8, unit: ${unit}}\n`), cluster, events);
  await lists.named();
  expect(read.mock.calls.map(([, which]) => which)).toEqual(reads);
  await lists.all();
  expect(read).toHaveBeenCalledTimes('instancesOnly' in reads[0] ? 2 : 1);
});

test('of nodes that are ready the newest are kept, of those that start all, each by its NodePool', async () => {
  const ready = Array.from({ length: 1_000 }, (_, i) => start(`r${i}`, NOW + ((i * 7) % 1_000) * 1_000, NOW + 1e7));
  const coming = Array.from({ length: 100 }, (_, i) => start(`c${i}`, NOW));
  const all = [...ready.slice(0, 500), ...coming, ...ready.slice(500), start('other', NOW, NOW, 'batch')];
  const seen = await nodeClaimsOnce(config, clusterOf(all.map((one) => ({ start: one })))).all();
  const kept = seen.startsOf(web);
  expect(kept.length).toBeLessThan(coming.length + 3 * MAX_STARTS);
  expect(kept.filter(({ initializedAt }) => initializedAt === undefined)).toHaveLength(coming.length);
  const newest = [...ready].sort((a, b) => b.createdAt - a.createdAt).slice(0, MAX_STARTS);
  expect(kept).toEqual(expect.arrayContaining(newest));
  expect(seen.startsOf(batch).map(({ id }) => id)).toEqual(['other']);
});
