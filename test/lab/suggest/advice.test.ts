import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { fakeTerminal, folderWith, NOW, runCli } from '../../cli/run-cli';

const START = Date.UTC(2026, 8, 7);

function configOf(max: number): string {
  return `cluster: { name: c, region: eu-central-1 }\nnodePools:\n  default: { max: ${max}, leadTime: 5m, price: 0.1, unit: { node: { cpu: 3 } } }\n`;
}

/** Two weeks of a value every five minutes. */
function traceOf(valueAt: (minute: number, day: number) => number): string {
  const rows = Array.from({ length: 14 * 288 }, (_, step) => {
    const value = valueAt((step % 288) * 5, Math.floor(step / 288));
    return `${new Date(START + step * 300_000).toISOString()},default,${value}`;
  });
  return ['time,pool,pods', ...rows, ''].join('\n');
}

/** Jumps at another time each day. */
const SCATTERED = traceOf((minute, day) => ((minute + day * 397) % 480 < 30 ? 14 : 10));
const JOB = (size: number) => traceOf((minute) => (minute >= 540 && minute < 600 ? size : 5));

async function suggested(config: string, trace: string, ...words: readonly string[]) {
  const folder = folderWith({ 'headroom.yaml': config, 't.csv': trace });
  const file = join(folder, 'headroom.yaml');
  const run = await runCli(['suggest', '-c', file, '--demand', join(folder, 't.csv'), '--timezone', 'UTC', ...words]);
  return { ...run, said: run.out.replace(/\s+/g, ' '), written: readFileSync(file, 'utf8') };
}

test('without a rhythm nothing is proposed; the cost of a base and the size of an alarm are shown', async () => {
  const { code, said, written } = await suggested(configOf(20), SCATTERED, '--write');
  expect(code).toBe(0);
  expect(written).toBe(configOf(20));
  expect(said).toContain('No rhythm');
  expect(said).toContain('Nothing is proposed. An alarm on what drives demand fits better; the largest rise is 4');
  expect(said).toMatch(/instead of windows .* base: 4 100 % 672 \$67\.20/);
  expect(said).not.toContain('the proposal itself');
  expect(said).not.toContain('nodePools:');
});

test.each([
  { words: ['--base', '95'], pool: { base: 4 } },
  { words: ['--anyway'], pool: { max: 20 } },
])('$words asks for it all the same', async ({ words, pool }) => {
  const { written, said } = await suggested(configOf(20), SCATTERED, '--write', ...words);
  expect(parse(written).nodePools.default).toMatchObject(pool);
  expect(written).not.toBe(configOf(20));
  expect(said).toContain('the proposal itself');
});

test('max is never raised; a sentence says what it cuts off', async () => {
  const { said, written } = await suggested(configOf(8), JOB(25), '--write');
  expect(parse(written).nodePools.default).toMatchObject({ max: 8, schedules: [{ desiredReplicas: 8 }] });
  expect(said).toContain('max is 8, which cuts off sizes of up to 20');
});

test('demand in other units is refused, and nothing is written', async () => {
  const { code, err, written } = await suggested(configOf(20), JOB(25_000), '--write');
  expect({ code, written }).toEqual({ code: 1, written: configOf(20) });
  expect(err).toContain(
    'pool default: demand climbs by 24995 at once, and max is 20; is the history in units of headroom?',
  );
});

test('a jump of one day sets no size', async () => {
  const once = traceOf((minute, day) =>
    minute >= 540 && minute < 600 ? 25 : day === 9 && minute >= 840 && minute < 900 ? 45 : 5,
  );
  const { written } = await suggested(configOf(100), once, '--write');
  expect(parse(written).nodePools.default.schedules).toEqual([
    expect.objectContaining({ start: '0 9 * * *', desiredReplicas: 20 }),
  ]);
});

test('a terminal shows how far it is and how long the rest takes; a file does not', async () => {
  const both = JOB(25).replaceAll(/(.*),default,(.*)\n/g, '$1,default,$2\n$1,other,$2\n');
  const folder = folderWith({ 'headroom.yaml': configOf(40), 't.csv': both });
  const shown = async (live: boolean) => {
    let now = NOW;
    const terminal = fakeTerminal({ live, now: () => (now += 1_500) });
    const words = ['-c', join(folder, 'headroom.yaml'), '--demand', join(folder, 't.csv'), '--timezone', 'UTC'];
    return (await runCli(['suggest', ...words], terminal)).err;
  };
  expect(await shown(true)).toContain('learning: 50 %, about 2 s left');
  expect(await shown(false)).not.toContain('learning');
});

test('JSON has no null in place of infinity', async () => {
  const { out } = await suggested(
    configOf(100),
    traceOf((minute, day) => (day === 9 && minute === 600 ? 30 : 5)),
    '--json',
  );
  expect(out).not.toContain('null');
});
