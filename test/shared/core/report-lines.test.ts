import type { HeadroomOutcome } from '../../../shared/core/apply/apply-decision';
import type { EventIntents } from '../../../shared/core/intents/collect-intents';
import type { Outcome } from '../../../shared/core/outcome';
import { reportDropped, reportEvents, reportOutcome } from '../../../shared/core/report-outcome';
import { configOf, FakeRuntime } from '../../fakes/fake-runtime';

const NOW = Date.parse('2026-11-16T03:00:00Z');
const config = configOf('  web: {max: 8}\n  batch: {max: 8}\n');
const [pool] = config.headrooms;
if (!pool) throw new Error('no pool');
const calm: HeadroomOutcome = {
  ...{ headroom: 'web', pool, uid: 'u1', replicas: 6, from: 2, ready: 1, reasons: ['lunch'] },
  ...{ change: 'resized', record: { alarms: {}, surges: {} }, countedLate: [], verdicts: [] },
};
const decided = { headroom: 'web', change: 'resized', from: 2, to: 6, reasons: ['lunch'] };

/** What is logged, one text a line, and what is counted. */
function told({ logged, counted }: FakeRuntime) {
  return [...logged.map(({ level, message, fields }) => [level, message, fields]), counted];
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
const line = ['info', 'headroom decided', decided];
const failure = (what: string) => ({ what, error: new Error('down') });

test.each<{ name: string; outcome?: object; more?: Partial<Outcome>; seen?: object; says: unknown[] }>([
  { name: 'a new size', says: [line, {}] },
  { name: 'nothing written', outcome: { change: 'none' }, says: [{}] },
  {
    name: 'surges and counts',
    outcome: { record: { alarms: {}, surges: { 'i-1': surge }, counts } },
    says: [['info', 'headroom decided', { ...decided, surges: 1, counts }], {}],
  },
  {
    name: 'a field of somebody else',
    outcome: { drift: 'spec.paused' },
    says: [['info', 'headroom decided', { ...decided, drift: 'spec.paused' }], {}],
  },
  {
    name: 'a record that cannot be read',
    outcome: { unreadable: '{"x' },
    says: [['error', 'record unreadable', { headroom: 'web', unreadable: '{"x' }], line, { unreadableRecords: 1 }],
  },
  {
    name: 'a field that becomes contested',
    outcome: { contested: { field: 'spec.paused', by: 'argocd', isNew: true } },
    says: [
      ['error', 'field contested', { headroom: 'web', field: 'spec.paused', by: 'argocd' }],
      line,
      { contestedFields: 1 },
    ],
  },
  {
    name: 'a field that becomes contested by nobody known',
    outcome: { contested: { field: 'spec.paused', isNew: true }, change: 'none' },
    says: [
      ['error', 'field contested', { headroom: 'web', field: 'spec.paused', by: 'unknown' }],
      { contestedFields: 1 },
    ],
  },
  {
    name: 'a field that stays contested',
    outcome: { contested: { field: 'spec.paused', isNew: false } },
    says: [line, { contestedFields: 1 }],
  },
  {
    name: 'nodes that were counted late',
    outcome: { countedLate: ['lunch'], record: { alarms: {}, surges: {}, counts } },
    says: [
      ['info', 'headroom decided', { ...decided, counts }],
      [
        'warn',
        'nodes counted after the occurrence began, so nodes that it already added may count twice',
        { headroom: 'web', windows: ['lunch'], counts },
      ],
      {},
    ],
  },
  { name: 'no such NodePool', outcome: { noSuchNodePool: true }, says: [line, { missingNodePools: 1 }] },
  {
    name: 'live schedules that do not count',
    outcome: { live: { notes: [], problem: 'line 3: no' } },
    says: [
      line,
      ['error', 'live schedules do not count', { headrooms: ['web'], problem: 'line 3: no' }],
      { liveProblems: 1 },
    ],
  },
  {
    name: 'live schedules that have not counted before either',
    outcome: { change: 'none', live: { notes: [], problem: 'line 3: no' } },
    says: [{ liveProblems: 1 }],
  },
  {
    name: 'live schedules that are refused',
    outcome: { live: { notes: [], problem: 'line 3: no', news: 'line 3: no', kept: { refused: {} } } },
    says: [
      line,
      ['error', 'live schedules do not count', { headrooms: ['web'], problem: 'line 3: no' }],
      { liveProblems: 1 },
    ],
  },
  {
    name: 'live schedules that cannot be read for the first time',
    outcome: { live: { notes: [], news: '403' } },
    seen: { liveText: { kind: 'unread', problem: '403' } },
    says: [line, ['warn', 'live schedules not read', { headrooms: ['web'], problem: '403' }], {}],
  },
  {
    name: 'live schedules that cannot be read for the third time',
    outcome: { live: { notes: [], problem: '403', isUnread: true } },
    seen: { liveText: { kind: 'unread', problem: '403' } },
    says: [line, { liveProblems: 1 }],
  },
  {
    name: 'live schedules of which a part does not count',
    outcome: { live: { notes: ['no such NodePool'] } },
    says: [
      line,
      ['warn', 'part of the live schedules does not count', { headroom: 'web', notes: ['no such NodePool'] }],
      { liveIgnored: 1 },
    ],
  },
  { name: 'live schedules that count', outcome: { live: { notes: [] } }, says: [line, {}] },
  {
    name: 'what is left over, and what was removed',
    more: { leftovers: ['headroom-old'], removed: ['headroom-older'] },
    says: [
      line,
      ['warn', 'headroom left over, the next deploy removes it', { names: ['headroom-old'] }],
      ['info', 'headroom removed', { name: 'headroom-older' }],
      {},
    ],
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
    says: [
      line,
      [
        'info',
        'headroom ready for its window',
        { headroom: 'web', window: 'lunch', start: '2026-11-16T02:58:30.000Z', lateBySeconds: 90, why: 'slow' },
      ],
      [
        'info',
        'headroom ready for its window',
        { headroom: 'web', window: 'tea', start: '2026-11-16T03:01:00.000Z', lateBySeconds: 0, why: undefined },
      ],
      [
        'warn',
        'window began without its headroom',
        { headroom: 'web', window: 'dinner', start: '2026-11-16T03:00:00.000Z', why: 'no nodes' },
      ],
      {},
    ],
  },
  {
    name: 'a Kubernetes without image volumes',
    seen: { minor: 34 },
    says: [
      line,
      ['warn', 'warmImages left out: image volumes need a newer Kubernetes', { kubernetes: '1.34', needs: '1.35' }],
      {},
    ],
  },
  { name: 'a Kubernetes with image volumes', seen: { minor: 35 }, says: [line, {}] },
  {
    name: 'failures',
    more: { failures: [failure('NodePool web'), failure('NodePool batch')] },
    says: [line, ['error', 'processing failed', { reason: 'NodePool web: down; NodePool batch: down' }], { errors: 1 }],
  },
])('the outcome: $name', ({ outcome = {}, more = {}, seen = {}, says }) => {
  expect(reported(outcome, more, seen)).toStrictEqual(says);
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
    name: 'an order',
    event: { event: order, intents: [], foreign: [] },
    says: [['info', 'override received', order], {}],
  },
  {
    name: 'an alarm of ours',
    event: { event: alarm, intents: [{ headroom: 'web', ...alarm }], foreign: [] },
    says: [{}],
  },
  {
    name: 'an alarm that is not configured',
    event: { event: alarm, intents: [], foreign: ['p95'] },
    says: [['info', 'alarm not configured', { alarmName: 'p95' }], { foreignEvents: 1 }],
  },
  {
    name: 'a node that is not ours',
    event: { event: notice, intents: [], foreign: ['i-1', 'i-2'] },
    says: [{ foreignEvents: 2 }],
  },
])('events: $name', ({ event, says }) => {
  expect(eventsTold([event])).toStrictEqual(says);
});

test('events: what is rejected, and NodeClaims that cannot be read', () => {
  const rejected = [{ id: '1', reason: 'no field source', excerpt: '{}' }];
  expect(eventsTold([], { rejected, unread: failure('reading NodeClaims') })).toStrictEqual([
    ['error', 'event rejected', { reason: 'no field source', event: '{}' }],
    ['error', 'processing failed', { reason: 'reading NodeClaims: down' }],
    { rejectedEvents: 1, errors: 1 },
  ]);
});

test('announced peaks that fall out are said with their keys, up to fifty of them', () => {
  const service = new FakeRuntime(config, NOW);
  const droppedPeaks = Array.from({ length: 51 }, (_, index) => `peak-${index}`);
  reportDropped('web', [], service.ports, new Set());
  expect(told(service)).toEqual([{}]);
  reportDropped('web', droppedPeaks, service.ports, new Set());
  expect(told(service)).toStrictEqual([
    ['error', 'announced peaks dropped', { headroom: 'web', most: 12, peaks: droppedPeaks.slice(0, 50) }],
    { rejectedEvents: 51 },
  ]);
});
