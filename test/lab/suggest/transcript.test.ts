import { join } from 'node:path';
import { runCli } from '../../cli/run-cli';
import { golden } from '../../golden/golden';
import { suggested, traceOf } from './learn-from';

const said = golden(`${__dirname}/transcript.txt`);

const FLOOR = 'unit: { floor: { cpu: 4, memory: 16Gi } }';
const NODE = 'unit: { node: { cpu: 3 } }';
const SLICE = 'minNode: { cpu: 8, memory: 32Gi }\n    unit: { slice: { cpu: 1, memory: 2Gi } }';
const LUNCH = '{ name: lunch, timezone: UTC, start: 0 9 * * *, end: 0 10 * * *, desiredReplicas: 3 }';
const SALE = '{ name: sale, timezone: UTC, from: 2026-12-01T08:00, to: 2026-12-01T20:00, desiredReplicas: 4 }';
const FLOOR_SALE = SALE.replace('desiredReplicas', 'addNodes');

function configOf(
  unit: string,
  { max = 100, lead = 'leadTime: 5m', schedules = [] as readonly string[] } = {},
): string {
  const windows =
    schedules.length === 0 ? '' : `    schedules:\n${schedules.map((one) => `      - ${one}\n`).join('')}`;
  const leadTime = lead === '' ? '' : `    ${lead}\n`;
  return `cluster: { name: c, region: eu-central-1 }\nnodePools:\n  default:\n    max: ${max}\n    price: 0.1\n    ${unit}\n${leadTime}${windows}`;
}

/** It climbs for half of the day: a floor for its top would stand unused for hours. */
const WAVE = traceOf((minute) => Math.round(500 - 480 * Math.cos((minute / 1_440) * 2 * Math.PI)) / 10);
/** An hour from nine. */
const job = (size: number) => (minute: number) => (minute >= 540 && minute < 600 ? size : 5);
const JOB = traceOf(job(25));
/** Jumps at another time each day. */
const SCATTERED = traceOf((minute, day) => ((minute + day * 397) % 480 < 30 ? 14 : 10));
const lunches = (every: number) => traceOf((minute) => (minute >= 720 && minute < 900 ? 8 : 2), { days: 21, every });
/** The job, which comes at three in the afternoon in its second week. */
const MOVED = traceOf((minute, day) => job(25)(day < 7 ? minute : minute - 360));

const NINE = LUNCH.replace('lunch', 'nine').replace('desiredReplicas: 3', 'desiredReplicas: 21');
const NINE_MORE = NINE.replace('desiredReplicas', 'addNodes');
const DAYTIME = NINE.replace('nine', 'daytime').replace('0 10 * * *', '0 21 * * *');
const FOUR_WEEKS = { days: 28 };
const ENDED = traceOf((minute, day) => (day < 15 ? job(25)(minute) : 5), FOUR_WEEKS);
const SHRUNK = traceOf((minute, day) => job(day < 12 ? 25 : 13)(minute), FOUR_WEEKS);
/** Jumps of three at another time each day. */
const JUMPS = traceOf((minute, day) => ((minute + day * 397) % 240 < 30 ? 8 : 5), FOUR_WEEKS);
const NOISY_JOB = traceOf((minute, day) => job(25)(minute) + ((minute + day * 397) % 60 < 30 ? 1 : 0), FOUR_WEEKS);
const FLAT = traceOf(() => 5, FOUR_WEEKS);
const FLAT_OF_TEN = traceOf(() => 5, { days: 10 });

test.each([
  { name: 'a job of every morning', trace: JOB },
  { name: 'the same, for a floor', trace: JOB, config: configOf(FLOOR) },
  { name: 'the same, with max below it', trace: JOB, config: configOf(NODE, { max: 8 }) },
  { name: 'the same, for an automatic lead time', trace: JOB, config: configOf(NODE, { lead: 'leadTime: auto' }) },
  { name: 'the same, where the config has no lead time', trace: JOB, config: configOf(NODE, { lead: '' }) },
  { name: 'the same, for another lead time', trace: JOB, words: ['--lead', '10m'] },
  { name: 'the same, as a floor in a NodePool of another unit', trace: JOB, words: ['--shape', 'more'] },
  { name: 'the same, in other units', trace: traceOf(job(25_000)) },
  { name: 'the same, of three days', trace: traceOf(job(25), { days: 3 }) },
  { name: 'the same, at another time in the last week', trace: MOVED },
  { name: 'no rhythm', trace: SCATTERED },
  { name: 'no rhythm, and a base all the same', trace: SCATTERED, words: ['--base', '95'] },
  { name: 'no rhythm, and windows all the same', trace: SCATTERED, words: ['--anyway'] },
  { name: 'a climb of half a day, for a floor', trace: WAVE, config: configOf(FLOOR, { schedules: [FLOOR_SALE] }) },
  { name: 'a climb of half a day, as a floor', trace: WAVE, config: configOf(FLOOR), words: ['--shape', 'floor'] },
  { name: 'a climb of half a day, as room', trace: WAVE, config: configOf(FLOOR), words: ['--shape', 'room'] },
  {
    name: 'a job beside a jump of one day',
    trace: traceOf((minute, day) => (day === 9 ? job(45)(minute - 300) : job(25)(minute))),
  },
  { name: 'a value every hour', trace: lunches(60) },
  { name: 'a value every minute', trace: lunches(1) },
  {
    name: 'work on weekdays',
    trace: traceOf((minute, _, weekday) => (weekday % 6 > 0 && minute >= 540 && minute < 1_020 ? 30 : 10), {
      days: 28,
    }),
  },
  {
    name: 'a rise on Mondays',
    trace: traceOf((minute, _, weekday) => (weekday === 1 ? job(30)(minute) : 5), { days: 28 }),
  },
  { name: 'a job of every hour', trace: traceOf((minute) => (minute % 60 < 10 ? 30 : 10)) },
  { name: 'a shop that has windows', trace: JOB, config: configOf(NODE, { schedules: [LUNCH, SALE] }) },
  { name: 'a job that has ended, with windows', trace: ENDED, config: configOf(NODE, { schedules: [NINE, SALE] }) },
  {
    name: 'a job that has ended, with windows of a floor',
    trace: ENDED,
    config: configOf(FLOOR, { schedules: [NINE_MORE, FLOOR_SALE] }),
  },
  { name: 'a job that has shrunk, with windows', trace: SHRUNK, config: configOf(NODE, { schedules: [NINE] }) },
  {
    name: 'jumps at other times, with a window all day',
    trace: JUMPS,
    config: configOf(NODE, { schedules: [DAYTIME] }),
  },
  { name: 'demand that stays the same, with windows', trace: FLAT, config: configOf(NODE, { schedules: [NINE] }) },
  {
    name: 'ten days that stay the same, with windows',
    trace: FLAT_OF_TEN,
    config: configOf(NODE, { schedules: [NINE] }),
  },
  { name: 'a job, for slices of nodes', trace: JOB, config: configOf(SLICE) },
  { name: 'the same, with a window that has ended', trace: ENDED, config: configOf(SLICE, { schedules: [NINE] }) },
  { name: 'a job beside noise, with a max that leaves a base', trace: NOISY_JOB, config: configOf(NODE, { max: 1 }) },
  { name: 'less than two days', trace: 'time,pool,pods\n0s,default,3\n5h,default,4\n' },
  { name: 'a file without rows', trace: 'time,pool,pods\n' },
  { name: 'a word for a number', trace: 'time,pool,pods\n0s,default,many\n' },
  { name: 'a percentage above 100', trace: JOB, words: ['--cover', '120'] },
  { name: 'a shape that is none', trace: JOB, words: ['--shape', 'round'] },
])('suggest prints what it learns of $name', async ({ name, trace, config = configOf(NODE), words = [] }) => {
  const { code, file, folder, printed } = await suggested(config, trace, ...words);
  said(name, printed);
  if (code !== 0) return;
  // What it writes is valid, so is the picture, and the plan of what it wrote costs what it said.
  const write = ['suggest', '-c', file, '--demand', join(folder, 't.csv'), '--timezone', 'UTC', ...words];
  const { out } = await runCli([...write, '--write', '--json']);
  expect((await runCli(['validate', '-c', file])).code).toBe(0);
  const { proposal } = JSON.parse(out).nodePools.default;
  const plan = JSON.parse((await runCli(['plan', '-c', file, '--to', '7d', '--json'])).out).figures.default;
  if (proposal) expect(proposal).toMatchObject({ nodeHours: plan.nodeHours, cost: plan.cost });
});

test('says what the config of a week ago covered on the days since', async () => {
  const half = configOf(NODE, { schedules: [LUNCH.replace('desiredReplicas: 3', 'desiredReplicas: 10')] });
  const words = ['--last-week', 'FOLDER/headroom.yaml'];
  const { lastWeek } = JSON.parse((await suggested(half, JOB, ...words, '--json')).out);
  // Half of each rise; an hour and five minutes a day, and one rise of the seven is at the edge.
  expect(lastWeek).toEqual({ default: { share: 0.5, hours: expect.closeTo(10 * (1 + 5 / 60) * 7, 0) } });
  const { out } = await suggested(half, JOB, ...words);
  expect(out).toContain('default: in the last 7 days the config of a week ago covered 50 % of the rise');
  const missing = await suggested(half, JOB, '--last-week', 'FOLDER/none.yaml');
  expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('--last-week') });
});
