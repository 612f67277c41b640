import type { HeadroomOutcome } from '../../../shared/core/apply/apply-decision';
import type { EventIntents } from '../../../shared/core/intents/collect-intents';
import { reportDropped, reportEvents, reportOutcome } from '../../../shared/core/log-and-count';
import type { Outcome } from '../../../shared/core/outcome';
import { configOf, FakeRuntime } from '../../fakes/fake-runtime';
import { golden } from '../../golden/golden';

const said = golden(`${__dirname}/report-lines.txt`);

const NOW = Date.parse('2026-11-16T03:00:00Z');
const config = configOf('  web: {max: 8}\n  batch: {max: 8}\n');
const [pool] = config.headrooms;
if (!pool) throw new Error('no pool');
const calm: HeadroomOutcome = {
  ...{ headroom: 'web', pool, uid: 'u1', replicas: 6, from: 2, ready: 1, reasons: ['lunch'] },
  ...{ change: 'resized', record: { alarms: {}, surges: {} }, countedLate: [], verdicts: [] },
};

/** What is logged, one line each, and what is counted. */
function told({ logged, counted }: FakeRuntime): string {
  const lines = logged.map(({ level, message, fields }) => `${level} ${message} ${JSON.stringify(fields)}`);
  return [...lines, `counts ${JSON.stringify(counted)}`].join('\n');
}

function reported(nodePool: Partial<HeadroomOutcome>, more: Partial<Outcome> = {}, seen = {}) {
  const service = new FakeRuntime(config, NOW);
  const still = { ...calm, headroom: 'batch', change: 'none' as const };
  const headrooms = [{ ...calm, ...nodePool } as HeadroomOutcome, still];
  const outcome = { at: NOW, headrooms, removed: [], leftovers: [], failedHeadrooms: [], failures: [], ...more };
  reportOutcome(outcome, { failures: [], nodePoolOf: () => undefined, ...seen } as never, service.ports);
  return told(service);
}

const surge = { instanceId: 'i-1', cause: 'spot', until: NOW };
const counts = { 'lunch@2026-11-16T02:30:00.000Z': { nodes: 3, until: NOW } };
const failure = (what: string) => ({ what, error: new Error('down') });

test.each<{ name: string; outcome?: object; more?: Partial<Outcome>; seen?: object }>([
  { name: 'a new size' },
  { name: 'nothing written', outcome: { change: 'none' } },
  {
    name: 'surges and counts',
    outcome: { record: { alarms: {}, surges: { 'i-1': surge }, counts } },
  },
  {
    name: 'a field of somebody else',
    outcome: { drift: 'spec.paused' },
  },
  {
    name: 'a record that cannot be read',
    outcome: { unreadable: '{"x' },
  },
  {
    name: 'a field that becomes contested',
    outcome: { contested: { field: 'spec.paused', by: 'argocd', isNew: true } },
  },
  {
    name: 'a field that becomes contested by nobody known',
    outcome: { contested: { field: 'spec.paused', isNew: true }, change: 'none' },
  },
  {
    name: 'a field that stays contested',
    outcome: { contested: { field: 'spec.paused', isNew: false } },
  },
  {
    name: 'nodes that were counted late',
    outcome: { countedLate: ['lunch'], record: { alarms: {}, surges: {}, counts } },
  },
  {
    name: 'what work took',
    outcome: { change: 'updated', taken: { units: 6, pods: 5, since: NOW - 75_000, until: NOW - 70_500 } },
  },
  { name: 'no such NodePool', outcome: { noSuchNodePool: true } },
  {
    name: 'live schedules that do not count',
    outcome: { live: { notes: [], problem: 'line 3: no' } },
  },
  {
    name: 'live schedules that have not counted before either',
    outcome: { change: 'none', live: { notes: [], problem: 'line 3: no' } },
  },
  {
    name: 'live schedules that are refused',
    outcome: { live: { notes: [], problem: 'line 3: no', news: 'line 3: no', kept: { refused: {} } } },
  },
  {
    name: 'live schedules that cannot be read for the first time',
    outcome: { live: { notes: [], news: '403' } },
    seen: { liveText: { kind: 'unread', problem: '403' } },
  },
  {
    name: 'live schedules that cannot be read for the third time',
    outcome: { live: { notes: [], problem: '403', isUnread: true } },
    seen: { liveText: { kind: 'unread', problem: '403' } },
  },
  {
    name: 'live schedules of which a part does not count',
    outcome: { live: { notes: ['no such NodePool'] } },
  },
  { name: 'live schedules that count', outcome: { live: { notes: [] } } },
  {
    name: 'what is left over, and what was removed',
    more: { leftovers: ['headroom-old'], removed: ['headroom-older'] },
  },
  {
    name: 'verdicts',
    outcome: {
      verdicts: [
        { window: 'lunch', start: NOW - 90_000, ready: true, why: 'slow' },
        { window: 'tea', start: NOW + 60_000, ready: true },
        { window: 'dinner', start: NOW, ready: false, why: 'no nodes' },
      ],
    },
  },
  {
    name: 'a Kubernetes without image volumes',
    seen: { minor: 34 },
  },
  { name: 'a Kubernetes with image volumes', seen: { minor: 35 } },
  {
    name: 'failures',
    more: { failures: [failure('NodePool web'), failure('NodePool batch')] },
  },
])('the outcome: $name', ({ name, outcome = {}, more = {}, seen = {} }) => {
  said(name, reported(outcome, more, seen));
});

function eventsTold(events: readonly object[], more = {}) {
  const service = new FakeRuntime(config, NOW);
  reportEvents({ events: events as EventIntents[], rejected: [], ...more }, service);
  return told(service);
}

const alarm = { kind: 'alarm', alarmName: 'p95', state: 'OK', at: NOW };
const order = { kind: 'override', headroom: 'web', ask: { kind: 'release', at: NOW, by: 'ana', reason: 'x' } };
const notice = { kind: 'interruption', cause: 'spot', instanceIds: ['i-1'], at: NOW };

test.each([
  {
    name: 'an override',
    event: { event: order, intents: [], foreign: [] },
  },
  {
    name: 'an alarm of ours',
    event: { event: alarm, intents: [{ headroom: 'web', ...alarm }], foreign: [] },
  },
  {
    name: 'an alarm that is not configured',
    event: { event: alarm, intents: [], foreign: ['p95'] },
  },
  {
    name: 'a node that is not ours',
    event: { event: notice, intents: [], foreign: ['i-1', 'i-2'] },
  },
])('events: $name', ({ name, event }) => {
  said(name, eventsTold([event]));
});

test('events: what is rejected, and NodeClaims that cannot be read', () => {
  const rejected = [{ id: '1', reason: 'no field source', excerpt: '{}' }];
  said(eventsTold([], { rejected, unread: failure('reading NodeClaims') }));
});

test('announced peaks that fall out are said with their keys, up to fifty of them', () => {
  const service = new FakeRuntime(config, NOW);
  const droppedPeaks = Array.from({ length: 51 }, (_, index) => `peak-${index}`);
  reportDropped('web', [], service.ports, new Set());
  expect([service.logged, service.counted]).toEqual([[], {}]);
  reportDropped('web', droppedPeaks, service.ports, new Set());
  expect([service.logged, service.counted]).toEqual([
    [
      {
        level: 'error',
        message: 'announced peaks dropped',
        fields: { headroom: 'web', most: 12, peaks: droppedPeaks.slice(0, 50) },
      },
    ],
    { rejectedEvents: 51 },
  ]);
});
