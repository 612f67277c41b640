import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { fakeTerminal, folderWith, NOW, runCli } from '../../cli/run-cli';
import { suggested, traceOf } from './learn-from';

const TRACE = 'examples/trace.csv';
const SHIPPED = readFileSync('headroom.yaml', 'utf8');
const WITHOUT_WINDOW = SHIPPED.replace(/ {4}schedules:[\s\S]*$/, '');
/** The shipped config with a lunch that is half an hour too late. */
const LATE = SHIPPED.replace('30 11 * * MON-FRI', '0 12 * * MON-FRI').replace('30 13 * * MON-FRI', '0 14 * * MON-FRI');

/** Runs suggest on the example trace, in a folder with this config. */
async function fromExample(config: string, ...words: readonly string[]) {
  const file = join(folderWith({ 'headroom.yaml': config }), 'headroom.yaml');
  const run = await runCli(['suggest', '--demand', TRACE, '-c', file, ...words]);
  return { ...run, file, written: readFileSync(file, 'utf8') };
}

test('finds the lunch window of the example by itself', async () => {
  const { code, out } = await fromExample(WITHOUT_WINDOW, '--json');
  expect(code).toBe(0);
  // JSON has no infinity.
  expect(out).not.toContain('null');
  const found = JSON.parse(out).nodePools.default;
  expect(found).toMatchObject({ rhythm: 'clear', timezone: 'Asia/Seoul', shape: 'more' });
  expect(found.schedules).toEqual([
    expect.objectContaining({ start: '15 11 * * MON-FRI', end: '15 12 * * MON-FRI', addNodes: 6 }),
  ]);
  expect(found.schedules[0].why).toContain('6 more on weekdays: between 11:09 and 12:09');
});

test('writes into the config and keeps its comments, names and dates', async () => {
  const config = LATE.replace(
    '      - name: lunch\n',
    '      # the kitchen opens\n      - name: lunch\n        excludeDates: [2026-12-25]\n',
  );
  const { file, written } = await fromExample(config, '--write');
  for (const [comment] of config.matchAll(/#.*/g)) expect(written).toContain(comment);
  expect(parse(written)).toEqual(
    parse(config.replace('0 12 * * MON-FRI', '15 11 * * MON-FRI').replace('0 14 * * MON-FRI', '15 12 * * MON-FRI')),
  );
  expect((await runCli(['validate', '-c', file])).code).toBe(0);
});

test('leaves windows alone, byte for byte, that learned ones would hardly improve', async () => {
  const { out, written } = await fromExample(SHIPPED, '--write');
  expect(out).toContain('No change: windows that are learned now would do little better.');
  expect(written).toBe(SHIPPED);
});

test('draws every kind of days with its hours', async () => {
  const file = join(folderWith({}), 'p.svg');
  await fromExample(WITHOUT_WINDOW, '--svg', file);
  const svg = readFileSync(file, 'utf8');
  for (const text of ['on weekdays: demand of', 'at weekends: rise within the lead time', '>09:00<', 'class="missed"'])
    expect(svg).toContain(text);
});

const UNIT = '    unit: { node: { cpu: 3 } }\n    leadTime: 5m # measured\n';
const CONFIG = `cluster: { name: c, region: eu-central-1 }\nnodePools:\n  default:\n    max: 100\n${UNIT}`;
const job = (size: number) => traceOf((minute) => (minute >= 540 && minute < 600 ? size : 5));

test('writes nothing where nothing is proposed, or demand is in other units', async () => {
  const scattered = traceOf((minute, day) => ((minute + day * 397) % 480 < 30 ? 14 : 10));
  for (const trace of [scattered, job(25_000)])
    expect((await suggested(CONFIG, trace, '--write')).written).toBe(CONFIG);
});

test('replaces the reason and the lead time of its last run, and keeps the comments of people', async () => {
  const { written: first } = await suggested(CONFIG, job(25), '--write');
  const { written: again } = await suggested(first, job(45), '--write', '--lead', '10m');
  expect(again).toContain('# 40 every day');
  expect(again).not.toContain('# 20 every day');
  expect(again).toContain('leadTime: 10m # measured');
  const own = first.replace(/# 20 every day.*/, '# the nightly report');
  expect((await suggested(own, job(45), '--write')).written).toContain('# the nightly report');
});

test('gives room in the place of a floor the size of the pods, and keeps a one-off window of it', async () => {
  const sale = '{ name: sale, timezone: UTC, from: 2026-12-01T08:00, to: 2026-12-01T20:00, addNodes: 4 }';
  const floor = `${CONFIG.replace('node: { cpu: 3 }', 'floor: { cpu: 4, memory: 16Gi }')}    schedules: [${sale}]\n`;
  const { written } = await suggested(floor, job(25), '--write', '--shape', 'room');
  const pool = parse(written).nodePools.default;
  expect(pool.unit).toEqual({ node: { cpu: 3, memory: '12Gi' } });
  expect(pool.schedules.at(-1)).toMatchObject({ name: 'sale', desiredReplicas: 4 });
});

describe('a one-off window is never lost', () => {
  const lunch = '{ name: lunch, timezone: UTC, start: 0 9 * * *, end: 0 10 * * *, desiredReplicas: 3 }';
  const sale = '{ name: sale, timezone: UTC, from: 2026-12-01T08:00, to: 2026-12-01T20:00, desiredReplicas: 4 }';
  const own = `${CONFIG}    schedules:\n      - ${lunch}\n      - ${sale}\n`;
  const namesIn = (text: string) => parse(text).nodePools.default.schedules.map(({ name }: { name: string }) => name);

  test('where defaults give the NodePool a window too', async () => {
    const night = '{ name: night, timezone: UTC, start: 0 1 * * *, end: 0 2 * * *, desiredReplicas: 1 }';
    const { written, err } = await suggested(`${own}defaults: { schedules: [${night}] }\n`, job(25), '--write');
    expect(namesIn(written)).toEqual(['lunch', 'sale']);
    expect(parse(written).defaults.schedules).toHaveLength(1);
    expect(err).not.toContain('removed');
  });

  test('where an overlay takes it out', async () => {
    const overlay = 'nodePools: { default: { schedules: [{ name: sale, remove: true }] } }\n';
    const folder = folderWith({ 'headroom.yaml': own, 'headroom.test.yaml': overlay, 't.csv': job(25) });
    const [file, trace] = [join(folder, 'headroom.yaml'), join(folder, 't.csv')];
    const words = ['-c', file, '-e', 'test', '--demand', trace, '--timezone', 'UTC', '--write'];
    expect(await runCli(['suggest', ...words])).toMatchObject({ code: 0 });
    expect(namesIn(readFileSync(file, 'utf8'))).toEqual(['lunch', 'sale']);
  });
});

test('a terminal shows how far it is and how long the rest takes; a file does not', async () => {
  const both = job(25).replaceAll(/(.*),default,(.*)\n/g, '$1,default,$2\n$1,other,$2\n');
  const folder = folderWith({ 'headroom.yaml': CONFIG, 't.csv': both });
  const shown = async (redraws: boolean) => {
    let now = NOW;
    const terminal = fakeTerminal({ redraws, now: () => (now += 1_500) });
    const words = ['-c', join(folder, 'headroom.yaml'), '--demand', join(folder, 't.csv'), '--timezone', 'UTC'];
    return (await runCli(['suggest', ...words], terminal)).err;
  };
  expect(await shown(true)).toContain('learning: 50 %, about 2 s left');
  expect(await shown(false)).not.toContain('learning');
});

test('needs one source of history', async () => {
  const { err } = await runCli(['suggest']);
  expect(err).toContain('suggest needs one history; add --demand FILE, --prometheus URL or --cloudwatch QUERY');
});

describe('a window whose demand has ended', () => {
  const ended = traceOf((minute, day) => (minute >= 540 && minute < 600 && day < 14 ? 25 : 5), { days: 28 });
  const nine = '{ name: nine, timezone: UTC, start: 0 9 * * *, end: 0 10 * * *, desiredReplicas: 21 }';
  const sale = '{ name: sale, timezone: UTC, from: 2026-12-01T08:00, to: 2026-12-01T20:00, desiredReplicas: 4 }';
  const own = `${CONFIG}    schedules:\n      # the kitchen\n      - ${nine}\n      # Christmas\n      - ${sale}\n`;

  test('goes, with its comment; what else is in the file stays', async () => {
    const { written, out } = await suggested(own, ended, '--write');
    expect(written).toBe(own.replace(`      # the kitchen\n      - ${nine}\n`, ''));
    expect(out).toContain('Remove nine');
  });

  test('says what that saves', async () => {
    const { out } = await suggested(own, ended, '--json');
    const { advice, retire, saves } = JSON.parse(out).nodePools.default;
    expect({ advice, retire }).toEqual({ advice: 'retire', retire: [{ name: 'nine', size: 0, days: 10 }] });
    // An hour and the lead time of 21 nodes, every day.
    expect(saves.nodeHours).toBeCloseTo(21 * 7 * (65 / 60), 0);
  });

  test('is a live schedule that is removed', async () => {
    const live = own.replace('name: c,', 'name: c, liveSchedules: true,');
    const { folder, code } = await suggested(live, ended, '--live', 'FOLDER/live.yaml');
    expect(code).toBe(0);
    expect(parse(readFileSync(join(folder, 'live.yaml'), 'utf8'))).toEqual({
      nodePools: { default: { schedules: [{ name: 'nine', remove: true }] } },
    });
  });

  test('is left to the file that it comes from', async () => {
    const { written, err } = await suggested(`${CONFIG}defaults: { schedules: [${nine}] }\n`, ended, '--write');
    expect(parse(written).defaults.schedules).toHaveLength(1);
    expect(err).toContain('default: nine is not in the list of this NodePool; remove it in defaults or in the overlay');
  });
});

test('a window that shrinks keeps the comments of people, and gets a reason otherwise', async () => {
  const shrunk = traceOf((minute, day) => (minute >= 540 && minute < 600 ? 5 + (day < 12 ? 4 : 2) : 5), { days: 28 });
  const nine = '{ name: nine, timezone: UTC, start: 0 9 * * *, end: 15 9 * * *, desiredReplicas: 4 }';
  const writtenOf = async (before: string) =>
    (await suggested(`${CONFIG}    schedules:\n${before}      - ${nine}\n`, shrunk, '--write')).written;
  const after = nine.replace('4 }', '2 }');
  expect(await writtenOf('      # the kitchen\n')).toContain(`      # the kitchen\n      - ${after}`);
  expect(await writtenOf('')).toContain(
    `      # 2 is enough for what demand climbed in the last 10 days, in place of 4\n      - ${after}`,
  );
});
