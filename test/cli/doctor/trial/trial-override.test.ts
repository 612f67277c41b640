import { trialOverride } from '../../../../cli/doctor/trial/trial-override';
import { commandsFor } from '../../../../cli/input/commands';
import type { HeadroomRecord, Override } from '../../../../shared/core/record/record';
import type { HeadroomStatus } from '../../../../shared/core/status';
import { configOf } from '../../../fakes/fake-runtime';

const NOW = Date.parse('2026-11-16T11:00:00Z');
const HOUR = 3_600_000;
const EMPTY: HeadroomRecord = { alarms: {}, surges: {} };

const [pool, floor] = configOf(`
  web:
    max: 6
    base: 2
    alarms: [{alarmName: p95-high, add: 3, hold: 10m}]
  step:
    max: 6
    unit: {floor: {cpu: 4}}
`).headrooms;

function statusOf(more: Partial<HeadroomStatus> = {}): HeadroomStatus {
  const { wanted = 2 } = more;
  return {
    headroom: 'web',
    wanted,
    replicas: wanted,
    ready: wanted,
    shortfall: 0,
    reasons: [],
    intents: EMPTY,
    ...more,
  };
}

const order = (more: Partial<HeadroomStatus> = {}, of = pool) => {
  if (!of) throw new Error('no such pool');
  return trialOverride(of, statusOf(more), { now: NOW, commands: commandsFor({}, { launcher: 'npx headstart' }) });
};
const overrideUntil = (until: number): Override => ({
  mode: 'atLeast',
  replicas: 4,
  by: 'ana',
  reason: 'sale',
  at: NOW - HOUR,
  until,
});

test('one more than the decided size is ordered', () => {
  expect(order()).toEqual({ atLeast: 3 });
  expect(order({ wanted: 5 })).toEqual({ atLeast: 6 });
});

test('what an alarm adds comes on top of the order by itself, so that it is not ordered twice', () => {
  const intents: HeadroomRecord = { ...EMPTY, alarms: { 'p95-high': { state: 'ALARM', at: NOW - HOUR } } };
  expect(order({ wanted: 5, intents })).toEqual({ atLeast: 3 });
});

test('a floor gets one node more than there are, whatever it wants', () => {
  expect(order({ wanted: 40 }, floor)).toEqual({ addNodes: 1 });
});

test('an override that is over does not matter', () => {
  expect(order({ intents: { ...EMPTY, override: overrideUntil(NOW) } })).toEqual({ atLeast: 3 });
});

test.each<[string, Partial<HeadroomStatus>, RegExp]>([
  [
    'an override stands',
    { intents: { ...EMPTY, override: overrideUntil(NOW + 1) } },
    /override by ana is in force until \d\d:\d\d \S+; wait for its end, or run `npx headstart release web`/,
  ],
  ['it is at its bound', { wanted: 6 }, /max 6 leaves no room for one more/],
  [
    'it is short already',
    { ready: 1, shortfall: 1 },
    /short already, 1 of 2 are ready; run `npx headstart status web`/,
  ],
  [
    'its record is unreadable',
    { unreadable: 'override: mode' },
    /run `npx headstart release web` first: override: mode/,
  ],
  [
    'it belongs to another stack',
    { foreignOwner: '1/eu/demo/headroom/other' },
    /belongs to 1\/eu\/demo\/headroom\/other/,
  ],
  ['its NodePool does not exist', { noSuchNodePool: true }, /no such NodePool/],
  ['its Deployment does not exist', { missing: true }, /does not exist yet/],
  ['somebody else changes it', { contested: 'spec.replicas' }, /keeps changing spec\.replicas/],
])('nothing is bought for a pool while %s', (_name, status, why) => {
  expect(order(status)).toEqual({ refused: expect.stringMatching(why) });
});
