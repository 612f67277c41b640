import type { HeadroomOutcome } from '../../../shared/core/apply/apply-decision';
import type { EventIntents } from '../../../shared/core/intents/collect-intents';
import type { Intent } from '../../../shared/core/intents/intent';
import { type Outcome, type Processed, ReconcileError } from '../../../shared/core/outcome';
import { EMPTY_RECORD, type Override } from '../../../shared/core/record/record';
import { batchResponse, eventResponse, nextChange, overrideResponse } from '../../../shared/core/respond';
import { configOf } from '../../fakes/fake-runtime';

const ISO = '2026-11-16T03:00:00.000Z';
const NOW = Date.parse(ISO);
const LATER = '2026-11-16T04:00:00.000Z';
const config = configOf('  web: {max: 8, base: 2}\n  batch: {max: 3}\n');

const pool = (headroom: string, more: Partial<HeadroomOutcome> = {}): HeadroomOutcome => ({
  headroom,
  pool: config.headrooms.find(({ name }) => name === headroom) as HeadroomOutcome['pool'],
  replicas: 5,
  reasons: ['base: 5'],
  from: 3,
  ready: 4,
  change: 'resized',
  record: EMPTY_RECORD,
  countedLate: [],
  verdicts: [],
  ...more,
});
const outcome = (more: Partial<Outcome> = {}): Outcome => ({
  at: NOW,
  headrooms: [pool('web'), pool('batch')],
  removed: [],
  leftovers: [],
  failedHeadrooms: [],
  failures: [],
  ...more,
});
const decision = (headroom: string) => ({
  headroom,
  replicas: 5,
  from: 3,
  change: 'resized',
  reasons: ['base: 5'],
});
const processed = (more: Partial<Processed> = {}): Processed => ({ at: NOW, events: [], rejected: [], ...more });
const rejection = { id: 'm', reason: 'no such pool', excerpt: 'x' };
const down = { what: 'NodePool batch', error: new Error('down') };

describe('the response to an event', () => {
  test('shows every decision', () => {
    expect(eventResponse(processed({ outcome: outcome() }))).toStrictEqual({
      at: ISO,
      decisions: [decision('web'), decision('batch')],
    });
  });

  test('shows what was removed and what is left over', () => {
    const response = eventResponse(processed({ outcome: outcome({ removed: ['a'], leftovers: ['b'] }) }));
    expect(response).toMatchObject({ removed: ['a'], leftovers: ['b'] });
  });

  test('says that there was nothing to do', () => {
    expect(eventResponse(processed())).toEqual({ ignored: 'there is nothing in this event for Headstart' });
  });

  test.each([
    { name: 'the reason', rejected: rejection, response: { rejected: 'no such pool' } },
    {
      name: 'what could have been sent',
      rejected: { ...rejection, example: { headroom: 'web' } },
      response: { rejected: 'no such pool', example: { headroom: 'web' } },
    },
  ])('that no retry can mend says $name', ({ rejected, response }) => {
    expect(eventResponse(processed({ rejected: [rejected] }))).toStrictEqual(response);
  });

  test.each([
    {
      name: 'what could not be done',
      given: { outcome: outcome({ failures: [down] }) },
      message: 'NodePool batch: down',
    },
    {
      name: 'what could not be read',
      given: { unread: { what: 'reading the NodeClaims', error: new Error('down') } },
      message: 'reading the NodeClaims: down',
    },
  ])('is an error that says $name', ({ given, message }) => {
    expect(() => eventResponse(processed(given))).toThrow(ReconcileError);
    expect(() => eventResponse(processed(given))).toThrow(message);
  });
});

describe('the response to a batch', () => {
  const surge = (headroom: string): Intent => ({
    kind: 'surge',
    headroom,
    instanceId: 'i-1',
    cause: 'spot',
    until: NOW,
  });
  const message = (id: string, ...pools: readonly string[]): EventIntents => ({
    id,
    event: { kind: 'interruption', cause: 'spot', instanceIds: [], at: NOW },
    intents: pools.map(surge),
    foreign: [],
  });
  const events = [message('1', 'web'), message('2', 'web', 'batch'), message('3')];
  const again = (given: Partial<Processed>) =>
    batchResponse(processed({ events, ...given })).batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);

  test.each([
    { name: 'nothing where all went well', given: { outcome: outcome() }, ids: [] },
    { name: 'nothing where there was nothing to do', given: {}, ids: [] },
    {
      name: 'the messages of a NodePool that failed',
      given: { outcome: outcome({ failedHeadrooms: ['batch'] }) },
      ids: ['2'],
    },
    { name: 'everything where nobody knows whose nodes go', given: { unread: down }, ids: ['1', '2', '3'] },
  ])('asks again for $name', ({ given, ids }) => {
    expect(again(given)).toEqual(ids);
  });
});

describe('the response to an override', () => {
  const order: EventIntents = {
    id: 'event',
    event: { kind: 'override', headroom: 'web', ask: { kind: 'release', at: NOW, by: 'bo', reason: '' } },
    intents: [{ kind: 'release', headroom: 'web', release: { at: NOW, by: 'bo' } }],
    foreign: [],
  };
  const override: Override = {
    mode: 'atLeast',
    replicas: 5,
    until: Date.parse(LATER),
    at: NOW,
    by: 'ana',
    reason: 'sale',
  };
  const answer = (given: Partial<Processed>) => overrideResponse(processed({ events: [order], ...given }));

  test('shows the decision for what was ordered, and how far it is', () => {
    expect(answer({ outcome: outcome() })).toStrictEqual({
      at: ISO,
      decisions: [{ ...decision('web'), ready: 4, shortfall: 1 }],
    });
  });

  test('shows no shortfall where more is ready than wanted', () => {
    expect(answer({ outcome: outcome({ headrooms: [pool('web', { ready: 9 })] }) })).toMatchObject({
      decisions: [{ shortfall: 0 }],
    });
  });

  test('shows when the size will change by itself, and what was replaced', () => {
    const headrooms = [pool('web', { record: { ...EMPTY_RECORD, override }, replaced: override })];
    expect(answer({ outcome: outcome({ headrooms }) })).toMatchObject({
      decisions: [{ next: { at: LATER, replicas: 2 }, replaced: { ...override, until: LATER, at: ISO } }],
    });
  });

  test('the size will not change while it is held', () => {
    const headrooms = [pool('web', { record: { ...EMPTY_RECORD, override }, held: { replicas: 5 } })];
    expect(answer({ outcome: outcome({ headrooms }) })).toStrictEqual({
      at: ISO,
      decisions: [{ ...decision('web'), ready: 4, shortfall: 1 }],
    });
  });

  test.each([
    { name: 'override', word: { override }, written: { ...override, until: LATER, at: ISO } },
    { name: 'release', word: { released: { at: NOW, by: 'bo' } }, written: { at: ISO, by: 'bo' } },
  ])('shows the newer $name that stands instead', ({ word, written }) => {
    const headrooms = [pool('web', { supersededBy: word })];
    expect(answer({ outcome: outcome({ headrooms }) })).toStrictEqual({
      at: ISO,
      decisions: [{ ...decision('web'), ready: 4, shortfall: 1, supersededBy: written }],
    });
  });

  test('that is wrong says why', () => {
    expect(answer({ rejected: [rejection] })).toEqual({ rejected: 'no such pool' });
  });

  test('is empty where nothing was reconciled', () => {
    expect(answer({})).toStrictEqual({ at: ISO, decisions: [] });
  });

  test("tells another NodePool's trouble beside it", () => {
    const { alsoFailed } = {
      alsoFailed: '',
      ...answer({ outcome: outcome({ failures: [down], failedHeadrooms: ['batch'] }) }),
    };
    expect(alsoFailed).toBe('NodePool batch: down');
  });

  test('is an error where the ordered NodePool itself failed', () => {
    const failed = outcome({ failures: [{ ...down, what: 'NodePool web' }], failedHeadrooms: ['batch', 'web'] });
    expect(() => answer({ outcome: failed })).toThrow('NodePool web: down');
  });
});

test.each([
  { name: 'a size', next: { replicas: 3 }, says: { replicas: 3 } },
  { name: 'nodes to add', next: { replicas: 0, uncounted: 6 }, says: { replicas: 0, addNodes: 6 } },
])('the next change is $name', ({ next, says }) => {
  const at = Date.parse('2026-11-16T03:00:00Z');
  expect(nextChange({ at, reasons: [], ...next })).toStrictEqual({ at: '2026-11-16T03:00:00.000Z', ...says });
});
