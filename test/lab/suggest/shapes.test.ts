import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { folderWith, runCli } from '../../cli/run-cli';

const START = Date.UTC(2026, 8, 1);
const FLOOR = '    unit: { floor: { cpu: 4, memory: 16Gi } }\n';
const NODE = '    unit: { node: { cpu: 3 } }\n';

function configOf(unit: string, rest = '    leadTime: 5m\n'): string {
  return `cluster: { name: c, region: eu-central-1 }\nnodePools:\n  default:\n    max: 100\n${unit}${rest}`;
}

/** A value every five minutes, by day and minute of the day, in UTC. */
function traceOf(valueAt: (minute: number, weekday: number) => number, days = 28): string {
  const rows = Array.from({ length: (days * 1_440) / 5 }, (_, index) => {
    const at = new Date(START + index * 300_000);
    const minute = at.getUTCHours() * 60 + at.getUTCMinutes();
    return `${at.toISOString()},default,${valueAt(minute, at.getUTCDay())}`;
  });
  return ['time,pool,pods', ...rows, ''].join('\n');
}

/** It climbs for half of the day: a floor for its top would stand unused for hours. */
const WAVE = traceOf((minute) => Math.round(500 - 480 * Math.cos((minute / 1_440) * 2 * Math.PI)) / 10, 14);
const JOB = traceOf((minute) => (minute >= 540 && minute < 600 ? 25 : 5), 14);

async function suggested(config: string, trace: string, ...words: readonly string[]) {
  const folder = folderWith({ 'headroom.yaml': config, 't.csv': trace });
  const file = join(folder, 'headroom.yaml');
  const run = await runCli(['suggest', '-c', file, '--demand', join(folder, 't.csv'), '--timezone', 'UTC', ...words]);
  return { ...run, file, written: readFileSync(file, 'utf8') };
}

async function found(config: string, trace: string, ...words: readonly string[]) {
  const { out } = await suggested(config, trace, '--json', ...words);
  return JSON.parse(out).nodePools.default;
}

test('a floor is judged by how a floor does, and room takes its place where demand climbs for hours', async () => {
  const proposal = await found(configOf(FLOOR), WAVE);
  expect(proposal).toMatchObject({ rhythm: 'clear', shape: 'room' });
  expect(proposal.findings[0]).toContain('A floor does not fit, so room is proposed in its place');
  const asked = await found(configOf(FLOOR), WAVE, '--shape', 'floor');
  expect(asked).toMatchObject({ rhythm: 'none', shape: 'floor' });
  expect(asked.findings[0]).toContain('No rhythm that a floor can follow');
});

test.each([
  { name: 'room takes the place of a floor', words: [] },
  { name: 'room is asked for', words: ['--shape', 'room'] },
])('the unit changes with the shape where $name', async ({ words }) => {
  const once =
    '    leadTime: 5m\n    schedules:\n      - { name: sale, timezone: UTC, from: 2026-12-01T08:00, to: 2026-12-01T20:00, addNodes: 4 }\n';
  const { file, written, err } = await suggested(configOf(FLOOR, once), WAVE, '--write', ...words);
  const pool = parse(written).nodePools.default;
  expect(pool.unit).toEqual({ node: { cpu: 3, memory: '12Gi' } });
  expect(pool.schedules.at(-1)).toMatchObject({ name: 'sale', desiredReplicas: 4 });
  expect(err).toContain('default: the unit was floor; it is now node');
  expect(await runCli(['validate', '-c', file])).toMatchObject({ code: 0 });
});

test('a floor is not written into a NodePool of another unit', async () => {
  const { written, err } = await suggested(configOf(NODE), JOB, '--write', '--shape', 'more');
  expect(parse(written)).toEqual(parse(configOf(NODE)));
  expect(err).toContain('default: a floor needs the unit floor with the size of your nodes');
});

test.each([
  { name: 'none', rest: '', words: [], lead: '5m', change: 'not set; it is now 5 min' },
  {
    name: 'another',
    rest: '    leadTime: 5m # measured\n',
    words: ['--lead', '10m'],
    lead: '10m',
    change: '5 min; it is now 10 min',
  },
])('windows are written with the lead time that they were learned for, where the config has $name', async (given) => {
  const { written, err } = await suggested(configOf(NODE, given.rest), JOB, '--write', ...given.words);
  expect(parse(written).nodePools.default).toMatchObject({
    leadTime: given.lead,
    schedules: [{ start: '0 9 * * *', desiredReplicas: 20 }],
  });
  expect(err).toContain(`leadTime was ${given.change}, for which the windows were learned`);
  if (given.rest.includes('#')) expect(written).toContain('# measured');
});

test('the next run replaces its own reason, and leaves the comments of people', async () => {
  const first = await suggested(configOf(NODE), JOB, '--write');
  const doubled = traceOf((minute) => (minute >= 540 && minute < 600 ? 45 : 5), 14);
  const again = await suggested(first.written, doubled, '--write');
  expect(again.written).toContain('# 40 every day');
  expect(again.written).not.toContain('# 20 every day');
  const own = first.written.replace(/# 20 every day.*/, '# the nightly report');
  expect((await suggested(own, doubled, '--write')).written).toContain('# the nightly report');
});

test('a rise on weekdays only needs no room at weekends', async () => {
  const work = traceOf((minute, weekday) => (weekday % 6 > 0 && minute >= 540 && minute < 1_020 ? 30 : 10));
  const { schedules } = await found(configOf(NODE), work);
  expect(schedules).toEqual([expect.objectContaining({ start: '0 9 * * MON-FRI', end: '15 9 * * MON-FRI' })]);
});

test('three days are no clear rhythm', async () => {
  const days = traceOf((minute) => (minute >= 540 && minute < 600 ? 25 : 5), 3);
  expect(await found(configOf(NODE), days)).toMatchObject({ rhythm: 'weak' });
});

test('a rise on Mondays only gets a window on Mondays', async () => {
  const mondays = traceOf((minute, weekday) => (weekday === 1 && minute >= 540 && minute < 600 ? 30 : 10));
  const { rhythm, schedules } = await found(configOf(NODE), mondays);
  expect({ rhythm, schedules }).toEqual({
    rhythm: 'clear',
    schedules: [expect.objectContaining({ name: 'monday-morning', start: '30 8 * * MON', end: '30 9 * * MON' })],
  });
});

test('a job of every hour gets one hourly window', async () => {
  const hourly = traceOf((minute) => (minute % 60 < 10 ? 30 : 10), 14);
  const { rhythm, schedules } = await found(configOf(NODE), hourly);
  expect({ rhythm, schedules }).toEqual({
    rhythm: 'clear',
    schedules: [expect.objectContaining({ name: 'hourly', start: '0 * * * *', end: '5 * * * *', desiredReplicas: 20 })],
  });
});

test('learned for an automatic lead time, windows start on quarters of an hour too', async () => {
  const { schedules } = await found(configOf(NODE, '    leadTime: auto\n'), JOB);
  expect(schedules).toEqual([expect.objectContaining({ start: '0 9 * * *', end: '15 9 * * *', desiredReplicas: 20 })]);
});

test('a rhythm that the last week does not follow is not trusted', async () => {
  const fallen = JOB.split('\n').map((row) => {
    const [time = '', pool, pods] = row.split(',');
    return Date.parse(time) >= START + 7 * 86_400_000 && time.includes('T09:')
      ? [time, pool, 5].join()
      : Date.parse(time) >= START + 7 * 86_400_000 && time.includes('T15:')
        ? [time, pool, 25].join()
        : [time, pool, pods].join();
  });
  const { rhythm, findings } = await found(configOf(NODE), fallen.join('\n').replace(/,+$/, ''));
  expect(rhythm).toBe('weak');
  expect(findings[1]).toContain('The last 7 d do not follow it: windows learned before them cover 0 % of the rise');
});

describe('a one-off window is never lost', () => {
  const lunch = '{ name: lunch, timezone: UTC, start: 0 9 * * *, end: 0 10 * * *, desiredReplicas: 3 }';
  const sale = '{ name: sale, timezone: UTC, from: 2026-12-01T08:00, to: 2026-12-01T20:00, desiredReplicas: 4 }';
  const own = `    leadTime: 5m\n    schedules:\n      - ${lunch}\n      - ${sale}\n`;

  test('where defaults give the NodePool a window too', async () => {
    const night = '{ name: night, timezone: UTC, start: 0 1 * * *, end: 0 2 * * *, desiredReplicas: 1 }';
    const config = `${configOf(NODE, own)}defaults:\n  schedules:\n    - ${night}\n`;
    const { code, written, err } = await suggested(config, JOB, '--write');
    expect(code).toBe(0);
    const { nodePools, defaults } = parse(written);
    expect(nodePools.default.schedules.map(({ name }: { name: string }) => name)).toEqual(['lunch', 'sale']);
    expect(defaults.schedules).toHaveLength(1);
    expect(err).not.toContain('removed');
  });

  test('where an overlay takes it out', async () => {
    const overlay = 'nodePools:\n  default:\n    schedules:\n      - { name: sale, remove: true }\n';
    const folder = folderWith({ 'headroom.yaml': configOf(NODE, own), 'headroom.test.yaml': overlay, 't.csv': JOB });
    const [file, trace] = ['headroom.yaml', 't.csv'].map((name) => join(folder, name)) as [string, string];
    const words = ['-c', file, '-e', 'test', '--demand', trace, '--timezone', 'UTC', '--write'];
    expect(await runCli(['suggest', ...words])).toMatchObject({ code: 0 });
    const { schedules } = parse(readFileSync(file, 'utf8')).nodePools.default;
    expect(schedules.map(({ name }: { name: string }) => name)).toEqual(['lunch', 'sale']);
  });
});
