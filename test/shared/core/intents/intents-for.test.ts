import type { AlarmEvent, HeadstartEvent, InterruptionEvent } from '../../../../shared/core/events/event';
import { intentsFor } from '../../../../shared/core/intents/intents-for';
import { overrideIntents } from '../../../../shared/core/intents/override-intents';
import type { NodeClaimFacts } from '../../../../shared/core/ports/ports';
import { configOf } from '../../../fakes/fake-runtime';

const NOW = Date.parse('2026-11-16T03:00:00Z');
const MINUTE = 60_000;

const loaded = configOf(`
  web:
    max: 8
    alarms: [{alarmName: busy, add: 1}, {alarmName: late, add: 1}]
    interruptions: {surge: 1, max: 5, hold: 10m, on: [spot, stateChange]}
  batch: {max: 3, alarms: [{alarmName: busy, add: 1}]}
  web-own: {max: 3, interruptions: {surge: 1, max: 5, hold: 1m, on: [health]}}
`);
const twins = ['web-spot', 'web-own'];
const config = {
  ...loaded,
  headrooms: loaded.headrooms.map((pool) => (pool.name === 'web' ? { ...pool, twins } : pool)),
};
const claims = new Map(
  [
    { instanceId: 'i-web', nodePool: 'web', deleting: false },
    { instanceId: 'i-going', nodePool: 'web', deleting: true },
    { instanceId: 'i-batch', nodePool: 'batch', deleting: false },
    { instanceId: 'i-twin', nodePool: 'web-spot', deleting: false },
    { instanceId: 'i-own', nodePool: 'web-own', deleting: false },
    { instanceId: 'i-other', nodePool: 'system', deleting: false },
  ].map((claim): [string, NodeClaimFacts] => [claim.instanceId, claim]),
);
const asked = (event: HeadstartEvent) => intentsFor(event, { config, receivedAt: NOW, claims, overrideIntents });

test('a tick asks for nothing', () => {
  expect(asked({ kind: 'tick', trigger: 'heartbeat' })).toEqual({ intents: [], foreign: [] });
});

describe('a clock that is wrong', () => {
  const FIVE = 5 * MINUTE;

  test.each([
    { trigger: 'heartbeat' as const, off: FIVE },
    { trigger: 'edge' as const, off: -FIVE },
    { trigger: 'deploy' as const, off: 99 * FIVE },
  ])('is none by $off ms for a tick: $trigger', ({ trigger, off }) => {
    expect(asked({ kind: 'tick', trigger, at: NOW + off })).toStrictEqual({ intents: [], foreign: [] });
  });

  test.each([
    { trigger: 'heartbeat' as const, off: FIVE + 1, scheduled: '2026-11-16T03:05:00.001Z' },
    { trigger: 'edge' as const, off: -FIVE - 1, scheduled: '2026-11-16T02:54:59.999Z' },
  ])('changes nothing, and says both times: $trigger', ({ trigger, off, scheduled }) => {
    expect(() => asked({ kind: 'tick', trigger, at: NOW + off })).toThrow(
      `event was scheduled for ${scheduled}, but the clock of this function says 2026-11-16T03:00:00.000Z; nothing was changed`,
    );
  });
});

test('an announced peak is asked for; one that the config does not name any more is foreign', () => {
  const peak = { key: 'campaign a', at: NOW };
  const announced = { kind: 'announcement', headroom: 'web', event: 'campaign' } as const;
  expect(asked({ ...announced, peak })).toStrictEqual({
    intents: [{ headroom: 'web', kind: 'peak', peak }],
    foreign: [],
  });
  expect(asked(announced)).toStrictEqual({ intents: [], foreign: ['campaign'] });
});

test('an override asks for what it says', () => {
  const ask = { kind: 'release', at: NOW, by: 'bo', reason: '' } as const;
  expect(asked({ kind: 'override', headroom: 'batch', ask })).toEqual({
    intents: [{ kind: 'release', headroom: 'batch', release: { at: NOW, by: 'bo', reason: '' } }],
    foreign: [],
  });
});

test('an event that nobody knows is an error', () => {
  expect(() => asked({ kind: 'wish' } as never)).toThrow('wish');
});

describe('an alarm', () => {
  const alarm = (alarmName: string, more: Partial<AlarmEvent> = {}): HeadstartEvent => ({
    kind: 'alarm',
    alarmName,
    state: 'ALARM',
    at: NOW - MINUTE,
    ...more,
  });

  test('is recorded for every NodePool that watches it', () => {
    expect(asked(alarm('busy', { previous: 'OK' }))).toStrictEqual({
      intents: ['web', 'batch'].map((headroom) => ({
        kind: 'alarm',
        headroom,
        alarmName: 'busy',
        state: 'ALARM',
        at: NOW - MINUTE,
        previous: 'OK',
      })),
      foreign: [],
    });
  });

  test('is recorded without the state before where the event does not say it', () => {
    expect(asked(alarm('late')).intents).toStrictEqual([
      { kind: 'alarm', headroom: 'web', alarmName: 'late', state: 'ALARM', at: NOW - MINUTE },
    ]);
  });

  test('that nobody watches is foreign', () => {
    expect(asked(alarm('idle'))).toEqual({ intents: [], foreign: ['idle'] });
  });

  test.each([
    { name: 'a minute ahead is believed', at: NOW + MINUTE, recorded: { at: NOW + MINUTE } },
    {
      name: 'further ahead counts as of now and is doubtful',
      at: NOW + MINUTE + 1,
      recorded: { at: NOW, doubtful: true },
    },
  ])('$name', ({ at, recorded }) => {
    expect(asked(alarm('late', { at })).intents).toStrictEqual([
      { kind: 'alarm', headroom: 'web', alarmName: 'late', state: 'ALARM', ...recorded },
    ]);
  });
});

describe('an interruption', () => {
  const taken = (cause: string, ids: readonly string[], at = NOW): InterruptionEvent => ({
    kind: 'interruption',
    cause,
    instanceIds: ids,
    at,
  });
  const surge = (headroom: string, instanceId: string, cause: string, until: number) => ({
    kind: 'surge',
    headroom,
    instanceId,
    cause,
    until,
  });

  test.each([
    {
      name: 'is a surge for the hold of its NodePool',
      event: taken('spot', ['i-web'], NOW - MINUTE),
      intents: [surge('web', 'i-web', 'spot', NOW + 9 * MINUTE)],
      foreign: [],
    },
    {
      name: 'dated far ahead counts from now',
      event: taken('spot', ['i-web'], NOW + 60 * MINUTE),
      intents: [surge('web', 'i-web', 'spot', NOW + 10 * MINUTE)],
      foreign: [],
    },
    {
      name: "of a twin counts for its twin's NodePool",
      event: taken('spot', ['i-twin']),
      intents: [surge('web', 'i-twin', 'spot', NOW + 10 * MINUTE)],
      foreign: [],
    },
    {
      name: 'of a twin with headroom of its own counts there, by its own terms',
      event: taken('health', ['i-own']),
      intents: [surge('web-own', 'i-own', 'health', NOW + MINUTE)],
      foreign: [],
    },
    {
      name: 'of instances of nobody here is foreign, and the others count',
      event: taken('spot', ['i-unknown', 'i-web', 'i-other']),
      intents: [surge('web', 'i-web', 'spot', NOW + 10 * MINUTE)],
      foreign: ['i-unknown', 'i-other'],
    },
    {
      name: 'that its NodePool does not ask for is nothing',
      event: taken('health', ['i-web']),
      intents: [],
      foreign: [],
    },
    {
      name: 'of a NodePool that asks for none is nothing',
      event: taken('spot', ['i-batch']),
      intents: [],
      foreign: [],
    },
    {
      name: 'by a change of state counts while the NodeClaim stays',
      event: taken('stateChange', ['i-web', 'i-going']),
      intents: [surge('web', 'i-web', 'stateChange', NOW + 10 * MINUTE)],
      foreign: [],
    },
    {
      name: 'by a notice counts also where Karpenter has begun to delete the NodeClaim',
      event: taken('spot', ['i-going']),
      intents: [surge('web', 'i-going', 'spot', NOW + 10 * MINUTE)],
      foreign: [],
    },
  ])('$name', ({ event, intents, foreign }) => {
    expect(asked(event)).toEqual({ intents, foreign });
  });
});
