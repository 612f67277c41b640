import { trialOverride } from '../../../../cli/doctor/trial/trial-override';
import { commandsFor } from '../../../../cli/input/commands';
import type { HeadroomRecord } from '../../../../shared/core/record/record';
import type { HeadroomStatus } from '../../../../shared/core/status';
import { configOf } from '../../../fakes/fake-runtime';
import { golden } from '../../../golden/golden';

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

const trial = (more: Partial<HeadroomStatus> = {}, of = pool) => {
  if (!of) throw new Error('no such pool');
  return trialOverride(of, statusOf(more), { now: NOW, commands: commandsFor({}, { launcher: 'npx headstart' }) });
};
const overrideUntil = (until: number): HeadroomRecord => ({
  ...EMPTY,
  override: { mode: 'atLeast', replicas: 4, by: 'ana', reason: 'sale', at: NOW - HOUR, until },
});
const alarms = { 'p95-high': { state: 'ALARM', at: NOW - HOUR } } as const;

test('asks for one more than the decided size', () => {
  expect([trial(), trial({ wanted: 5 })]).toEqual([{ atLeast: 3 }, { atLeast: 6 }]);
});

test('does not ask for what an alarm adds by itself', () => {
  expect(trial({ wanted: 5, intents: { ...EMPTY, alarms } })).toEqual({ atLeast: 3 });
});

test('asks for one node on top of the existing ones of a floor, whatever it wants', () => {
  expect(trial({ wanted: 40 }, floor)).toEqual({ addNodes: 1 });
});

test('asks for one node on top of what a floor adds to a count already', () => {
  const counts = { 'lunch@2026-11-16T10:00:00.000Z': { nodes: 10, at: NOW - HOUR, until: NOW + HOUR } };
  expect(trial({ wanted: 14, intents: { ...EMPTY, counts } }, floor)).toEqual({ addNodes: 5 });
  expect(trial({ wanted: 16, intents: { ...EMPTY, counts } }, floor)).toHaveProperty('refused');
});

test('ignores an override that has expired', () => {
  expect(trial({ intents: overrideUntil(NOW) })).toEqual({ atLeast: 3 });
});

const said = golden(`${__dirname}/trial-override.txt`);

test('buys nothing while another override, a bound, a shortage or somebody else would decide', () => {
  const statuses: readonly Partial<HeadroomStatus>[] = [
    { intents: overrideUntil(NOW + 1) },
    { wanted: 6 },
    { ready: 1, shortfall: 1 },
    { unreadable: 'override: mode', held: 2 },
    { foreignOwner: '1/eu/demo/headroom/other' },
    { noSuchNodePool: true },
    { missing: true },
    { contested: 'spec.replicas' },
  ];
  const refusals = statuses.map((status) => trial(status)).map((found) => ('refused' in found ? found.refused : ''));
  said(refusals.join('\n'));
});
