import { outcomeOf, ReconcileError } from '../../../shared/core/outcome';
import { configOf } from '../../fakes/fake-runtime';

const NOW = Date.parse('2026-11-16T03:00:00Z');
const decided = configOf('  web: {max: 8}\n  batch: {max: 3}\n').headrooms;
const [pool] = decided;
if (!pool) throw new Error('no pool');
const poolOutcome = {
  headroom: 'web',
  pool,
  replicas: 1,
  reasons: [],
  from: 0,
  ready: 0,
  change: 'none' as const,
  record: { alarms: {}, surges: {} },
  countedLate: [],
  verdicts: [],
};
const web: PromiseSettledResult<typeof poolOutcome> = { status: 'fulfilled', value: poolOutcome };
const seen = { failures: [], nodePoolOf: () => undefined };
const removed = { names: [], leftovers: [], failures: [] };
const failure = (what: string) => ({ what, error: new Error('down') });

describe('the outcome', () => {
  test('tells what was done and what is left over', () => {
    const outcome = outcomeOf({
      decided,
      now: NOW,
      seen,
      results: [web, web],
      removed: { names: ['headroom-old'], leftovers: ['headroom-older'], failures: [] },
    });
    expect(outcome).toEqual({
      at: NOW,
      headrooms: [poolOutcome, poolOutcome],
      removed: ['headroom-old'],
      leftovers: ['headroom-older'],
      failedHeadrooms: [],
      failures: [],
    });
  });

  test('names the NodePool that failed, with the reason', () => {
    const results = [web, { status: 'rejected' as const, reason: new Error('down') }];
    expect(outcomeOf({ decided, now: NOW, seen, results, removed })).toMatchObject({
      headrooms: [poolOutcome],
      failedHeadrooms: ['batch'],
      failures: [failure('headroom batch')],
    });
  });

  test('where nothing could be decided all NodePools failed, with the one reason', () => {
    const blind = { ...seen, failures: [failure('reading the headroom')] };
    expect(outcomeOf({ decided, now: NOW, seen: blind, results: [], removed })).toMatchObject({
      headrooms: [],
      failedHeadrooms: ['web', 'batch'],
      failures: [failure('reading the headroom')],
    });
  });

  test('live schedules that cannot be read are a failure, except of a deploy', () => {
    const unread = { ...seen, liveText: { kind: 'unread' as const, problem: '403' } };
    const results = [{ ...web, value: { ...poolOutcome, live: { isUnread: true } } }, web] as never;
    const parts = { decided, now: NOW, seen: unread, results, removed };
    expect(outcomeOf(parts).failures).toEqual([{ what: 'reading the live schedules', error: new Error('403') }]);
    expect(outcomeOf({ ...parts, isDeploy: true }).failures).toEqual([]);
  });

  test('lists what failed in the order in which it was tried', () => {
    const { failures } = outcomeOf({
      decided,
      now: NOW,
      seen: { ...seen, failures: [failure('reading alarm states')] },
      results: [{ status: 'rejected', reason: new Error('down') }, web],
      removed: { ...removed, failures: [failure('removing headroom-old')] },
    });
    expect(failures.map(({ what }) => what)).toEqual(['reading alarm states', 'headroom web', 'removing headroom-old']);
  });
});

test('the error of a reconcile says everything that failed, and keeps the causes', () => {
  const [first, second] = [new Error('down'), new Error('forbidden')];
  const error = new ReconcileError([
    { what: 'headroom web', error: first },
    { what: 'headroom batch', error: second },
  ]);
  expect([error.name, error.message]).toEqual(['ReconcileError', 'headroom web: down; headroom batch: forbidden']);
  expect(error.errors).toEqual([new Error('headroom web: down'), new Error('headroom batch: forbidden')]);
  expect(error.errors.map(({ cause }) => cause)).toEqual([first, second]);
});
