import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { folderWith, runCli } from '../../cli/run-cli';

const TRACE = 'examples/trace.csv';
const SHIPPED = readFileSync('headroom.yaml', 'utf8');

test('finds the lunch window of the example by itself', async () => {
  const withoutWindow = SHIPPED.replace(/ {4}schedules:[\s\S]*$/, '');
  const folder = folderWith({ 'headroom.yaml': withoutWindow });
  const { code, out } = await runCli(['suggest', '--demand', TRACE, '-c', join(folder, 'headroom.yaml'), '--json']);
  expect(code).toBe(0);
  const found = JSON.parse(out).nodePools.default;
  expect(found).toMatchObject({ rhythm: 'clear', timezone: 'Asia/Seoul', shape: 'more' });
  expect(found.schedules).toEqual([
    expect.objectContaining({ start: '15 11 * * MON-FRI', end: '15 12 * * MON-FRI', addNodes: 6 }),
  ]);
  expect(found.schedules[0].why).toContain('6 more on weekdays: between 11:10 and 12:10');
});

/** The shipped config with a lunch that is half an hour too late. */
const LATE = SHIPPED.replace('30 11 * * MON-FRI', '0 12 * * MON-FRI').replace('30 13 * * MON-FRI', '0 14 * * MON-FRI');

test('writes into the config and keeps its comments, names and dates', async () => {
  const config = LATE.replace(
    '      - name: lunch\n',
    '      # the kitchen opens\n      - name: lunch\n        excludeDates: [2026-12-25]\n',
  );
  const folder = folderWith({ 'headroom.yaml': config });
  const file = join(folder, 'headroom.yaml');
  const { code, err } = await runCli([
    'suggest',
    '--demand',
    TRACE,
    '-c',
    file,
    '--write',
    '--svg',
    join(folder, 'p.svg'),
  ]);
  expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('wrote') });
  const written = readFileSync(file, 'utf8');
  for (const [comment] of config.matchAll(/#.*/g)) expect(written).toContain(comment);
  expect(parse(written)).toEqual(
    parse(config.replace('0 12 * * MON-FRI', '15 11 * * MON-FRI').replace('0 14 * * MON-FRI', '15 12 * * MON-FRI')),
  );
  expect(readFileSync(join(folder, 'p.svg'), 'utf8')).toContain(
    'the proposed room (green) and what it misses (orange), in nodes',
  );
  expect((await runCli(['validate', '-c', file])).code).toBe(0);
});

test('the picture has every kind of days with its hours', async () => {
  const folder = folderWith({ 'headroom.yaml': SHIPPED.replace(/ {4}schedules:[\s\S]*$/, '') });
  const file = join(folder, 'p.svg');
  await runCli(['suggest', '--demand', TRACE, '-c', join(folder, 'headroom.yaml'), '--svg', file]);
  const svg = readFileSync(file, 'utf8');
  for (const text of ['on weekdays: demand of', 'at weekends: rise within the lead time', '>09:00<', '>24:00<'])
    expect(svg).toContain(text);
  expect(svg).toContain('class="missed"');
});

test('compares with none, the cheapest constant, this config and a clairvoyant', async () => {
  const { out } = await runCli(['suggest', '--demand', TRACE]);
  for (const name of [
    'the proposal itself',
    'learned like this, on days not seen',
    'no headroom',
    'always 2, known in hindsight',
    "today's config",
    'clairvoyant',
  ])
    expect(out).toContain(name);
});

test('windows that still do are left alone, byte for byte', async () => {
  const folder = folderWith({ 'headroom.yaml': SHIPPED });
  const file = join(folder, 'headroom.yaml');
  const { out } = await runCli(['suggest', '--demand', TRACE, '-c', file, '--write']);
  expect(out).toContain('No change: windows that are learned now would do little better.');
  expect(readFileSync(file, 'utf8')).toBe(SHIPPED);
});

test.each([
  {
    name: 'no source',
    words: [],
    err: 'suggest needs one history; add --demand FILE, --prometheus URL or --cloudwatch QUERY',
  },
  {
    name: 'a percentage above 100',
    words: ['--demand', TRACE, '--cover', '120'],
    err: '--cover is 120; write a percentage',
  },
  { name: 'an unknown shape', words: ['--demand', TRACE, '--shape', 'round'], err: 'write one of room, floor, more' },
])('$name is refused', async ({ words, err }) => {
  const run = await runCli(['suggest', ...words]);
  expect(run).toMatchObject({ code: 1, err: expect.stringContaining(err) });
});

test.each([
  { name: 'less than two days', rows: 'time,pool,pods\n0s,default,3\n5h,default,4\n', err: 'has 0.2 days of history' },
  { name: 'a file without rows', rows: 'time,pool,pods\n', err: 't.csv: has columns but no rows' },
  { name: 'a word for a number', rows: 'time,pool,pods\n0s,default,many\n', err: 't.csv:2: pods is "many"' },
])('$name gets a clear sentence', async ({ rows, err }) => {
  const folder = folderWith({ 't.csv': rows });
  const run = await runCli(['suggest', '--demand', join(folder, 't.csv')]);
  expect(run).toMatchObject({ code: 1, err: expect.stringContaining(err) });
});
