import type { Parsed } from '../../../../shared/core/events/deliveries';
import type { HeadstartEvent } from '../../../../shared/core/events/event';
import { collectIntents } from '../../../../shared/core/intents/collect-intents';
import { overrideIntents } from '../../../../shared/core/intents/override-intents';
import { nodeClaimsOnce } from '../../../../shared/core/observe/node-claims';
import { FakeCluster } from '../../../fakes/fake-cluster';
import { configOf } from '../../../fakes/fake-runtime';

const NOW = Date.parse('2026-11-16T03:00:00Z');
const config = configOf('  web: {max: 8, interruptions: {surge: 1, max: 5, hold: 10m}}\n');

const tick: HeadstartEvent = { kind: 'tick', trigger: 'heartbeat' };
const taken = (id: string): HeadstartEvent => ({ kind: 'interruption', cause: 'spot', instanceIds: [id], at: NOW });
const surge = (instanceId: string) => ({
  kind: 'surge',
  headroom: 'web',
  instanceId,
  cause: 'spot',
  until: NOW + 600_000,
});
const delivered = (...events: readonly HeadstartEvent[]): Parsed => ({
  events: events.map((event, index) => ({ id: `m-${index}`, event, excerpt: `excerpt ${index}` })),
  rejected: [],
});
const clusterOf = (...ids: readonly string[]) => {
  const cluster = new FakeCluster();
  cluster.nodeClaims = ids.map((instanceId) => ({ instanceId, nodePool: 'web', deleting: false }));
  return cluster;
};
const intents = (parsed: Parsed, cluster: FakeCluster) =>
  collectIntents(parsed, { config, receivedAt: NOW, overrideIntents }, nodeClaimsOnce(config, cluster, parsed.events));

test('one look at the NodeClaims serves a whole batch of interruptions', async () => {
  const cluster = clusterOf('i-1', 'i-2');
  const events = [taken('i-1'), taken('i-2'), taken('i-3')];
  expect(await intents(delivered(...events), cluster)).toStrictEqual({
    events: [
      { id: 'm-0', event: events[0], intents: [surge('i-1')], foreign: [] },
      { id: 'm-1', event: events[1], intents: [surge('i-2')], foreign: [] },
      { id: 'm-2', event: events[2], intents: [], foreign: ['i-3'] },
    ],
    rejected: [],
  });
  expect(cluster.calls).toEqual(['nodeClaims']);
});

test('one interruption among other events is reason to read the NodeClaims', async () => {
  const { events } = await intents(delivered(tick, taken('i-1')), clusterOf('i-1'));
  expect(events.map((one) => one.intents)).toEqual([[], [surge('i-1')]]);
});

test('without an interruption the NodeClaims are not read', async () => {
  const cluster = clusterOf('i-1');
  const { events } = await intents(delivered(tick), cluster);
  expect(events).toEqual([{ id: 'm-0', event: tick, intents: [], foreign: [] }]);
  expect(cluster.calls).toEqual([]);
});

test('while the NodeClaims cannot be read nothing is asked, and it is said', async () => {
  const cluster = clusterOf('i-1');
  cluster.fault = () => new Error('down');
  const { events, unread } = await intents(delivered(taken('i-1')), cluster);
  expect(events).toEqual([{ id: 'm-0', event: taken('i-1'), intents: [], foreign: [] }]);
  expect(unread).toEqual({ what: 'reading the NodeClaims', error: new Error('down') });
});

test('an override that cannot be carried out is rejected after what was rejected before, and the others count', async () => {
  const order: HeadstartEvent = {
    kind: 'override',
    headroom: 'nobody',
    ask: { kind: 'release', at: NOW, by: 'bo', reason: '' },
  };
  const before = { id: 'm-9', reason: 'no JSON', excerpt: 'x' };
  const parsed = { ...delivered(order, tick), rejected: [before] };
  const { events, rejected } = await intents(parsed, clusterOf());
  expect(events.map(({ id }) => id)).toEqual(['m-1']);
  expect(rejected).toEqual([
    before,
    {
      id: 'm-0',
      excerpt: 'excerpt 0',
      reason: 'headroom "nobody" is not in the config; write one of web',
      example: expect.anything(),
    },
  ]);
});

test('a fault of our own is not taken for a wrong event', async () => {
  await expect(intents(delivered({ kind: 'wish' } as never), clusterOf())).rejects.toThrow('wish');
});
