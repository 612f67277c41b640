import type { HeadroomOutcome } from '../../../shared/core/apply/apply-decision';
import { emitEvents } from '../../../shared/core/cluster-events';
import type { ClusterEvent } from '../../../shared/core/ports/ports';
import { configOf } from '../../fakes/fake-runtime';
import { golden } from '../../golden/golden';

const said = golden(`${__dirname}/cluster-events.txt`);

const NOW = Date.parse('2026-11-16T03:00:00Z');
const [pool] = configOf('  web: {max: 8}\n').headrooms;
if (!pool) throw new Error('no pool');
const calm: HeadroomOutcome = {
  headroom: 'web',
  pool,
  uid: 'u1',
  replicas: 6,
  reasons: ['lunch', 'alarm'],
  from: 6,
  ready: 6,
  change: 'updated',
  record: { alarms: {}, surges: {} },
  countedLate: [],
  verdicts: [],
};
const [ready, late] = [true, false].map((isReady) => ({
  window: 'lunch',
  start: NOW,
  ready: isReady,
  ...(!isReady && { why: '2 of 6 nodes are missing' }),
})) as [NonNullable<HeadroomOutcome['verdicts']>[number], NonNullable<HeadroomOutcome['verdicts']>[number]];
const live = { pool, replaced: [], notes: [], reasons: [], news: 'line 3: no such key' };
const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'headroom-web', uid: 'u1' };
const configMap = { apiVersion: 'v1', kind: 'ConfigMap', name: 'headroom-schedules' };

async function emitted(nodePool: Partial<HeadroomOutcome>, liveText?: object): Promise<readonly ClusterEvent[]> {
  const events: ClusterEvent[] = [];
  const outcome = {
    ...{ at: NOW, removed: [], leftovers: [], failedHeadrooms: [], failures: [] },
    headrooms: [{ ...calm, ...nodePool } as HeadroomOutcome],
  };
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const emit = async (event: ClusterEvent, now: number) => {
    expect(now).toBe(NOW);
    events.push(event);
  };
  await emitEvents(outcome, { liveText: liveText as never }, { log });
  await emitEvents(outcome, { liveText: liveText as never }, { log, emit });
  return events;
}

const contested = { field: 'spec.replicas', by: 'argocd', isNew: true };

// What is said is in cluster-events.txt.
test.each<{ name: string; outcome: Partial<HeadroomOutcome> }>([
  { name: 'a new size', outcome: { from: 2 } },
  { name: 'a window that is ready', outcome: { verdicts: [ready] } },
  { name: 'a window that is late', outcome: { verdicts: [ready, late] } },
  { name: 'a field that somebody keeps changing', outcome: { contested } },
  {
    name: 'a field that nobody owns up to, with a new size',
    outcome: { contested: { field: 'spec.replicas', isNew: true }, from: 5 },
  },
])('$name is an Event on the Deployment', async ({ name, outcome }) => {
  const [{ regarding, type, reason, note } = {} as ClusterEvent, ...others] = await emitted(outcome);
  expect([regarding, others]).toEqual([deployment, []]);
  said(name, `${type} ${reason}: ${note}`);
});

test.each([
  { name: 'a NodePool that stays as it is', outcome: {} },
  { name: 'a field that was contested before', outcome: { contested: { ...contested, isNew: false } } },
  { name: 'a size that was not written', outcome: { from: 2, uid: undefined } },
  { name: 'live schedules that were refused before', outcome: { live: { ...live, news: undefined } } },
])('$name is no Event', async ({ outcome }) => {
  expect(await emitted(outcome as Partial<HeadroomOutcome>)).toEqual([]);
});

test.each([
  { name: 'a text that was read', text: { kind: 'text', uid: 'u2' }, regarding: { ...configMap, uid: 'u2' } },
  { name: 'a text that could not be read', text: { kind: 'broken' }, regarding: configMap },
  { name: 'no text', text: undefined, regarding: configMap },
])('live schedules that do not count are an Event on the ConfigMap: $name', async ({ text, regarding }) => {
  expect(await emitted({ live } as Partial<HeadroomOutcome>, text)).toStrictEqual([
    { regarding, type: 'Warning', reason: 'SchedulesRefused', note: 'line 3: no such key' },
  ]);
});
