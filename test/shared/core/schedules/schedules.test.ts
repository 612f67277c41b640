import type { Config } from '../../../../shared/core/config/config';
import { loadConfig } from '../../../../shared/core/config/read/load';
import { compileSchedules, heartbeatExpression } from '../../../../shared/core/schedules/schedules';
import { golden } from '../../../golden/golden';

const said = golden(`${__dirname}/descriptions.txt`);
const NOW = Date.parse('2026-11-01T00:00:00Z');
const roomy = { now: NOW, max: 100 };

function configOf(windows: readonly object[], pool: object = {}): Config {
  const text = JSON.stringify({
    cluster: { name: 'demo', region: 'eu-central-1' },
    nodePools: { service: { max: 50, leadTime: '5m', ...pool, schedules: windows } },
  });
  const loaded = loadConfig([{ file: 'test.yaml', text }]);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.config;
}

const cron = (name: string, start: string, end: string, timezone = 'Asia/Seoul') => ({
  name,
  timezone,
  start,
  end,
  desiredReplicas: 3,
});
const once = (name: string, from: string, to: string, timezone = 'Asia/Seoul') => ({
  name,
  timezone,
  from,
  to,
  desiredReplicas: 3,
});

describe('what a person reads in the console', () => {
  test.each([
    {
      name: 'a start with its lead',
      windows: [cron('lunch', '30 11 * * *', '30 13 * * *')],
    },
    {
      name: 'a start without a lead',
      windows: [cron('lunch', '30 11 * * *', '30 13 * * *')],
      pool: { leadTime: '0s' },
    },
    {
      name: 'a lead into the day before',
      windows: [cron('night', '0 0 * * *', '0 6 * * *')],
    },
    {
      name: 'a lead of days',
      windows: [cron('sale', '0 9 * * MON', '0 18 * * MON')],
      pool: { leadTime: '2d' },
    },
    {
      name: 'several minutes of one hour, as they were written',
      windows: [cron('peaks', '10,40 9 * * *', '0 18 * * *')],
    },
    {
      name: 'several times a day, as they were written',
      windows: [cron('peaks', '0 9,18 * * *', '0 11,20 * * *')],
    },
  ])('$name', ({ name, windows, pool = {} }) => {
    const { schedules } = compileSchedules(configOf(windows, pool), roomy);
    said(name, schedules.map(({ description }) => description).join('\n'));
  });

  test.each([
    { name: 'stand together', lengths: [60, 70], shown: 2, more: '' },
    { name: 'fill the 512 characters that AWS takes', lengths: [101, 101, 101, 101, 100], shown: 5, more: '' },
    { name: 'are counted where they do not fit', lengths: [101, 101, 101, 101, 101], shown: 4, more: '; and 1 more' },
    { name: 'fit to the last character', lengths: [99, 99, 98, 98, 98, 99], shown: 5, more: '; and 1 more' },
    { name: 'and no further', lengths: [99, 99, 99, 98, 98, 99], shown: 4, more: '; and 2 more' },
  ])('edges at one time $name', ({ lengths, shown, more }) => {
    const named = (name: string) => `service: ${name} opens 09:00, requested at 08:55 UTC`;
    const names = lengths.map((length, i) => `${i}`.padEnd(length - named('').length, 'x'));
    const windows = names.map((name, i) => cron(name, '0 9 * * *', `${i} 18 * * *`, 'UTC'));
    const { description } = compileSchedules(configOf(windows), roomy).schedules[0] ?? {};
    expect(description).toBe(`${names.slice(0, shown).map(named).join('; ')}${more}`);
  });

  test('a text that is too long by itself is cut', () => {
    const start = `0 ${'9,'.repeat(300)}18 * * *`;
    const { description } = compileSchedules(configOf([cron('long', start, '0 20 * * *')]), roomy).schedules[0] ?? {};
    expect(description).toBe(`service: long opens ${start}`.slice(0, 512));
  });
});

describe('one-offs', () => {
  test('are asked for earlier by the lead, in local time', () => {
    const { schedules } = compileSchedules(configOf([once('sale', '2026-11-27T00:02', '2026-11-27T06:00')]), roomy);
    expect(schedules.map(({ expression, timezone }) => `${expression} ${timezone}`)).toEqual([
      'at(2026-11-26T23:57:00) Asia/Seoul',
      'at(2026-11-27T06:00:00) Asia/Seoul',
    ]);
  });

  test('are asked for at the right instant when the clock changes in between', () => {
    // Berlin skips from 02:00 to 03:00 on this day.
    const windows = [once('sale', '2027-03-28T03:02', '2027-03-28T06:00', 'Europe/Berlin')];
    expect(compileSchedules(configOf(windows), roomy).schedules[0]?.expression).toBe('at(2027-03-28T01:57:00)');
  });

  test('that are over, or may be before a deploy is through, get no schedule and no complaint', () => {
    const plan = compileSchedules(
      configOf([
        once('past', '2026-10-01T08:00', '2026-10-02T08:00'),
        once('running', '2026-10-31T08:00', '2026-11-01T18:00'),
        once('in-ten-minutes', '2026-11-01T00:15', '2026-11-02T00:00', 'UTC'),
        once('in-fifteen', '2026-11-01T00:20', '2026-11-02T00:00', 'UTC'),
        once('in-sixteen', '2026-11-01T00:21', '2026-11-02T00:00', 'UTC'),
      ]),
      roomy,
    );
    expect(plan.schedules.map(({ description }) => description)).toEqual([
      'service: in-sixteen opens 2026-11-01T00:21, requested at 2026-11-01T00:16:00 UTC',
      'service: running closes 2026-11-01T18:00 Asia/Seoul',
      ['in-ten-minutes', 'in-fifteen', 'in-sixteen']
        .map((name) => `service: ${name} closes 2026-11-02T00:00 UTC`)
        .join('; '),
    ]);
    expect(plan.leftToHeartbeat).toEqual([]);
  });
});

describe('what has no schedule', () => {
  test('an edge that AWS cron cannot say is left to the heartbeat, its other edge is not', () => {
    const plan = compileSchedules(configOf([cron('leap', '*/4 0 29 2 *', '0 6 29 2 *')]), roomy);
    expect(plan.schedules.map(({ expression }) => expression)).toEqual(['cron(0 6 29 2 ? *)']);
    expect(plan.leftToHeartbeat).toEqual([
      'service: leap opens */4 0 29 2 *, requested 5m before Asia/Seoul: left to the heartbeat (up to 1m late), because AWS cron would fire 30 times too often on some days, more than 12',
    ]);
  });

  test('where there is no room, ends are left out before starts', () => {
    const windows = [cron('a', '0 9 * * *', '0 10 * * *'), cron('b', '0 11 * * *', '0 12 * * *')];
    const plan = compileSchedules(configOf(windows), { now: NOW, max: 3 });
    expect(plan.schedules.map(({ expression }) => expression)).toEqual([
      'cron(55 8 * * ? *)',
      'cron(55 10 * * ? *)',
      'cron(0 10 * * ? *)',
    ]);
    expect(plan.leftToHeartbeat).toEqual([
      'service: b closes 12:00 Asia/Seoul: left to the heartbeat (up to 1m late), because the stack has room for 3 schedules',
    ]);
  });
});

test('an edge at a time that has a schedule needs no room', () => {
  const windows = [cron('a', '0 9 * * *', '0 10 * * *'), cron('b', '0 9 * * *', '0 10 * * *')];
  const plan = compileSchedules(configOf(windows), { now: NOW, max: 2 });
  expect(plan.schedules.map(({ expression }) => expression)).toEqual(['cron(55 8 * * ? *)', 'cron(0 10 * * ? *)']);
  expect(plan.leftToHeartbeat).toEqual([]);
});

test('schedules keep their names whatever else is in the config', () => {
  const [first, second] = [cron('a', '0 9 * * *', '0 10 * * *'), cron('b', '0 11 * * *', '0 12 * * *')];
  const names = (windows: readonly object[]) =>
    compileSchedules(configOf(windows), roomy).schedules.map(({ name }) => name);
  expect(names([first, second])).toEqual(expect.arrayContaining(names([second])));
});

test('names are unique and within what EventBridge Scheduler takes, whatever the zone', () => {
  const windows = ['America/Argentina/ComodRivadavia', 'America/Argentina/Buenos_Aires', 'UTC'].map((timezone, i) =>
    cron(`w${i}`, '1,2,4,5,7,8,10,11,13,14 1,2,4,5,7,8 1,2,4,5,7,8 * *', '0 12 * * *', timezone),
  );
  const names = compileSchedules(configOf(windows), roomy).schedules.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[0-9a-zA-Z-_.]{1,64}$/);
});

test.each([
  { name: 'every minute', heartbeatSeconds: 60, expression: 'rate(1 minute)' },
  { name: 'every five minutes', heartbeatSeconds: 300, expression: 'rate(5 minutes)' },
])('the heartbeat $name', ({ heartbeatSeconds, expression }) => {
  expect(heartbeatExpression({ ...configOf([]), heartbeatSeconds })).toBe(expression);
});

test('a learned lead time leaves its starts to the heartbeat, which it allows for, and keeps its ends', () => {
  const windows = [cron('lunch', '30 11 * * *', '30 13 * * *'), once('sale', '2026-11-27T08:00', '2026-11-27T20:00')];
  const { schedules, leftToHeartbeat } = compileSchedules(configOf(windows, { leadTime: 'auto' }), roomy);
  expect(schedules.map(({ description }) => description)).toEqual([
    'service: lunch closes 13:30 Asia/Seoul',
    'service: sale closes 2026-11-27T20:00 Asia/Seoul',
  ]);
  expect(leftToHeartbeat).toEqual([]);
});
