import { DecisionHistory } from '../../../../lab/simulator/run/decision-history';
import type { HeadroomOutcome } from '../../../../shared/core/apply/apply-decision';
import type { Processed } from '../../../../shared/core/outcome';
import { EMPTY_RECORD } from '../../../../shared/core/record/record';
import { configOf } from '../../../fakes/fake-runtime';

const RESIZED: HeadroomOutcome = {
  headroom: 'default',
  pool: configOf('  default: {max: 6}').headrooms[0] as HeadroomOutcome['pool'],
  replicas: 6,
  reasons: ['flash sale; see incident 42'],
  from: 2,
  ready: 2,
  change: 'resized',
  record: EMPTY_RECORD,
  countedLate: [],
  verdicts: [],
};

function processed(...headrooms: readonly HeadroomOutcome[]): Processed {
  const outcome = { at: 0, headrooms, removed: [], leftovers: [], failedHeadrooms: [], failures: [] };
  return { at: 1_000, events: [], rejected: [], outcome };
}

test('a decision keeps its reasons as they are', () => {
  const history = new DecisionHistory();
  history.add('heartbeat', processed(RESIZED));
  expect(history.all).toEqual([
    { at: 1_000, pool: 'default', trigger: 'heartbeat', from: 2, to: 6, reasons: ['flash sale; see incident 42'] },
  ]);
});

test.each<{ name: string; outcome: HeadroomOutcome; reasons: readonly string[] | undefined }>([
  { name: 'no change', outcome: { ...RESIZED, change: 'none' }, reasons: undefined },
  {
    name: 'a record that was tidied up',
    outcome: { ...RESIZED, change: 'updated', drift: 'metadata.annotations.x' },
    reasons: undefined,
  },
  {
    name: 'a field that somebody had changed',
    outcome: { ...RESIZED, reasons: ['base'], change: 'updated', drift: 'spec.paused' },
    reasons: ['base', 'put back what had changed: spec.paused'],
  },
])('what is kept of $name', ({ outcome, reasons }) => {
  const history = new DecisionHistory();
  history.add('heartbeat', processed(outcome));
  expect(history.all[0]?.reasons).toEqual(reasons);
});

test('every failure counts, and a part that succeeded is kept', () => {
  const history = new DecisionHistory();
  const failure = { what: 'NodePool other', error: new Error('503') };
  const { outcome, ...rest } = processed({ ...RESIZED, unreadable: '{' });
  if (outcome) history.add('heartbeat', { ...rest, outcome: { ...outcome, failures: [failure] } });
  history.add('heartbeat', { ...rest, unread: failure });
  history.add('heartbeat', { ...rest, rejected: [{ id: 'event', reason: 'no', excerpt: '' }] });
  expect(history.errors).toBe(4);
  expect(history.all).toHaveLength(1);
});

test('only the newest are kept, newest first', () => {
  const history = new DecisionHistory();
  for (let size = 1; size <= 1_000; size += 1) history.add('heartbeat', processed({ ...RESIZED, replicas: size }));
  expect(history.all.length).toBeLessThanOrEqual(240);
  expect(history.recent).toHaveLength(60);
  expect(history.recent[0]?.to).toBe(1_000);
});
