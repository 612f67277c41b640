import type { AlarmState } from '../../../../shared/core/events/event';
import type { Intent } from '../../../../shared/core/intents/intent';
import { mergeIntent } from '../../../../shared/core/intents/newest-wins';
import { pruneRecord } from '../../../../shared/core/record/prune-record';
import { type AlarmRecord, EMPTY_RECORD, type HeadroomRecord } from '../../../../shared/core/record/record';
import { configOf } from '../../../fakes/fake-runtime';

const NOW = Date.parse('2026-11-16T03:00:00Z');

const alarm = (state: AlarmState, at: number, more: { previous?: AlarmState; goneSince?: number } = {}): Intent => ({
  kind: 'alarm',
  headroom: 'web',
  alarmName: 'a',
  state,
  at,
  ...more,
});
const surge = (instanceId: string, until: number, cause = 'spot'): Intent => ({
  kind: 'surge',
  headroom: 'web',
  instanceId,
  cause,
  until,
});

describe('an alarm', () => {
  const rows: { name: string; known?: AlarmRecord; intent: Intent; merged: AlarmRecord }[] = [
    { name: 'that is OK at first has not ended', intent: alarm('OK', NOW), merged: { state: 'OK', at: NOW } },
    {
      name: 'whose event says that it left ALARM ends with the event, although ALARM was never seen',
      intent: alarm('OK', NOW, { previous: 'ALARM' }),
      merged: { state: 'OK', at: NOW, ended: NOW },
    },
    {
      name: 'that leaves ALARM for want of data ends too',
      intent: alarm('INSUFFICIENT_DATA', NOW, { previous: 'ALARM' }),
      merged: { state: 'INSUFFICIENT_DATA', at: NOW, ended: NOW },
    },
    {
      name: 'whose event says that it came from elsewhere does not end with it',
      known: { state: 'ALARM', at: NOW - 2 },
      intent: alarm('OK', NOW, { previous: 'INSUFFICIENT_DATA' }),
      merged: { state: 'OK', at: NOW },
    },
    {
      name: 'that a reading finds OK as before has not ended',
      known: { state: 'OK', at: NOW - 2 },
      intent: alarm('OK', NOW),
      merged: { state: 'OK', at: NOW },
    },
    {
      name: 'that a reading finds in ALARM again has not ended',
      known: { state: 'ALARM', at: NOW - 2 },
      intent: alarm('ALARM', NOW),
      merged: { state: 'ALARM', at: NOW },
    },
    {
      name: 'that goes from ALARM to ALARM has not ended',
      known: { state: 'ALARM', at: NOW - 2 },
      intent: alarm('ALARM', NOW, { previous: 'ALARM' }),
      merged: { state: 'ALARM', at: NOW },
    },
    {
      name: 'in ALARM is not ended by an older reading',
      known: { state: 'ALARM', at: NOW },
      intent: alarm('OK', NOW - 2),
      merged: { state: 'ALARM', at: NOW },
    },
    {
      name: 'in ALARM is not ended by a reading of the same instant',
      known: { state: 'ALARM', at: NOW },
      intent: alarm('OK', NOW),
      merged: { state: 'ALARM', at: NOW },
    },
    {
      name: 'that is OK goes to ALARM on the same instant',
      known: { state: 'OK', at: NOW },
      intent: alarm('ALARM', NOW),
      merged: { state: 'ALARM', at: NOW },
    },
    {
      name: 'keeps the latest end, whatever order its ends come in',
      known: { state: 'OK', at: NOW, ended: NOW },
      intent: alarm('OK', NOW - 5, { previous: 'ALARM' }),
      merged: { state: 'OK', at: NOW, ended: NOW },
    },
    {
      name: 'that is gone counts as OK with its old time, and ends when that was noticed',
      known: { state: 'ALARM', at: NOW - 9 },
      intent: alarm('OK', NOW - 9, { goneSince: NOW }),
      merged: { state: 'OK', at: NOW - 9, ended: NOW },
    },
  ];

  test.each(rows)('$name', ({ known, intent, merged }) => {
    const record = { ...EMPTY_RECORD, ...(known && { alarms: { a: known } }) };
    expect(mergeIntent(record, intent).alarms).toStrictEqual({ a: merged });
  });
});

describe('a surge', () => {
  test('keeps its latest end', () => {
    const [early, late] = [surge('i-1', NOW + 1), surge('i-1', NOW + 2)];
    for (const order of [
      [early, late],
      [late, early],
    ])
      expect(order.reduce(mergeIntent, EMPTY_RECORD).surges).toEqual({ 'i-1': { cause: 'spot', until: NOW + 2 } });
  });

  test('with two causes and one end keeps the same cause in either order', () => {
    const [spot, health] = [surge('i-1', NOW + 1, 'spot'), surge('i-1', NOW + 1, 'health')];
    for (const order of [
      [spot, health],
      [health, spot],
    ])
      expect(order.reduce(mergeIntent, EMPTY_RECORD).surges).toEqual({ 'i-1': { cause: 'spot', until: NOW + 1 } });
  });

  test('that changes nothing leaves the record as it is', () => {
    const record = mergeIntent(EMPTY_RECORD, surge('i-1', NOW + 1));
    expect(mergeIntent(record, surge('i-1', NOW + 1))).toStrictEqual(record);
  });
});

test('an intent that nobody knows is an error', () => {
  expect(() => mergeIntent(EMPTY_RECORD, { kind: 'wish', headroom: 'web' } as never)).toThrow('wish');
});

describe('pruning', () => {
  const stored = (interruptions: string, record: HeadroomRecord) => {
    const [pool] = configOf(`  web: {max: 20${interruptions}}\n`).headrooms;
    return pool && Object.keys(pruneRecord(record, pool, NOW).surges);
  };
  const tied = () => ['i-3', 'i-1', 'i-2'].map((id) => surge(id, NOW + 1)).reduce(mergeIntent, EMPTY_RECORD);

  test.each([
    {
      name: 'of surges that end at once keeps those whose ids sort first',
      config: 'surge: 1, max: 2',
      ids: ['i-1', 'i-2'],
    },
    { name: 'keeps a surge that counts only in part', config: 'surge: 2, max: 3', ids: ['i-1', 'i-2'] },
  ])('$name', ({ config, ids }) => {
    expect(stored(`, interruptions: {${config}}`, tied())).toEqual(ids);
  });

  test('keeps no surge where none can count', () => {
    expect(stored(', interruptions: {surge: 0, max: 5}', tied())).toEqual([]);
  });

  test('keeps what a function of another deploy recorded where the config has no interruptions', () => {
    expect(stored('', tied())?.sort()).toEqual(['i-1', 'i-2', 'i-3']);
  });
});
