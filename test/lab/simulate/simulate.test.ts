import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTrace } from '../../../lab/simulate/trace';
import { fakeTerminal, folderWith, NOW, runCli } from '../../cli/run-cli';
import { loadedConfig } from '../../fakes/loaded-config';
import { golden } from '../../golden/golden';

const LUNCH = '{name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: 4}';
const CONFIG = `
cluster: {name: shop, region: ap-northeast-2}
nodePools:
  default: {max: 8, leadTime: 5m, price: 0.1, unit: {node: {cpu: 1, memory: 2Gi}}, schedules: [${LUNCH}]}
`;
const TRACE = `# a lunch
time,pool,pods
2026-11-17T02:00Z,default,2
2026-11-17T02:40Z,default,5
2026-11-17T03:10Z,default,6
2026-11-17T05:10Z,default,3
2026-11-17T06:00Z,default,5
2026-11-17T06:30Z,default,5
`;
const folder = folderWith({ 'headroom.yaml': CONFIG, 'trace.csv': TRACE });
const argv = ['simulate', '-c', join(folder, 'headroom.yaml'), '--demand', join(folder, 'trace.csv')];

const said = golden(`${__dirname}/transcript.txt`);

describe('headstart simulate', () => {
  test('compares this config, no headroom and constant headroom', async () => {
    const { code, out } = await runCli([...argv, '--json']);
    expect(code).toBe(0);
    const [own, none, constant] = JSON.parse(out).cases;
    expect([own.name, none.name, constant.name]).toEqual(['this config', 'no headroom', 'always 4']);
    expect(own.waitingInWindows).toMatchObject({ pods: 4, over10s: 0 });
    expect(none.waitingInWindows).toMatchObject({ pods: 4, over10s: 1 });
    expect(none.waitingInWindows.medianMs).toBeGreaterThan(20_000);
    expect(own.waiting.pods).toBe(6);
    expect(constant.waiting.over10s).toBe(0);
    expect(none.nodeHours).toBeLessThan(own.nodeHours);
    expect(own.nodeHours).toBeLessThan(constant.nodeHours);
    expect(own.cost).toBeCloseTo(own.nodeHours * 0.1, 3);
  });

  test('gives the same report, byte for byte, with the same seed', async () => {
    const runs = [];
    for (const seed of ['1', '1', '2']) runs.push((await runCli([...argv, '--seed', seed])).out);
    const [first, second, other] = runs;
    expect(first).toBe(second);
    expect(first).not.toBe(other);
  });

  test('prints a table of the three runs', async () => said('a lunch', (await runCli(argv)).out));

  test('shows progress with the time that is left on a terminal, and clears it', async () => {
    let seconds = 0;
    const now = () => {
      seconds += 1;
      return NOW + seconds * 1_000;
    };
    const { code, err } = await runCli(argv, fakeTerminal({ redraws: true, now }));
    expect(code).toBe(0);
    expect(err).toMatch(/simulating: 50 %, about (\d+ min )?\d+ s left/);
    expect(err.endsWith('\r\u001b[2K')).toBe(true);
  });

  test('ships an example trace of two weeks', () => {
    const shipped = readFileSync(join(__dirname, '..', '..', '..', 'examples', 'trace.csv'), 'utf8');
    const trace = readTrace(shipped, loadedConfig(CONFIG), { file: 'trace.csv', start: 0 });
    expect(trace.to - trace.from).toBe(14 * 86_400_000);
    const pods = trace.demands.map((demand) => demand.pods);
    expect([Math.min(...pods), Math.max(...pods)]).toEqual([2, 10]);
  });

  test.each([
    { name: 'no trace', words: argv.slice(0, 3) },
    { name: 'a trace that is not there', words: [...argv.slice(0, 4), '/no/trace.csv'] },
    { name: 'a delay that is none', words: [...argv, '--node-delay', 'slow'] },
    { name: 'a config in the place of the trace', words: ['simulate', 'headroom.yaml', ...argv.slice(1, 3)] },
    { name: 'the trace twice', words: ['simulate', 'a.csv', ...argv.slice(1)] },
    { name: 'several wrong options at once', words: [...argv, '--seed', 'x', '--timezone', 'y'] },
  ])('refuses $name', async ({ name, words }) => {
    const { code, out, err } = await runCli(words);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    said(name, err.replaceAll(`${folder}/`, ''));
  });
});

describe('headstart simulate of a floor', () => {
  const FLOOR = CONFIG.replace('node: {cpu: 1, memory: 2Gi}', 'floor: {cpu: 4, memory: 16Gi}').replace(
    'desiredReplicas: 4',
    'addNodes: 4',
  );

  test('adds to the nodes that the demand has, and holds the sum all the time to compare', async () => {
    const files = folderWith({ 'headroom.yaml': FLOOR, 'trace.csv': TRACE });
    const words = ['-c', join(files, 'headroom.yaml'), '--demand', join(files, 'trace.csv')];
    const { code, out } = await runCli(['simulate', ...words, '--json']);
    expect(code).toBe(0);
    const [own, none, constant] = JSON.parse(out).cases;
    // Two nodes run two pods when lunch opens.
    expect(constant.name).toBe('always 6');
    expect(own.waitingInWindows).toMatchObject({ pods: 4, over10s: 0 });
    expect(none.waitingInWindows).toMatchObject({ pods: 4, over10s: 1 });
    expect(none.nodeHours).toBeLessThan(own.nodeHours);
    expect(own.nodeHours).toBeLessThan(constant.nodeHours);
  });

  test('counts cpu and memory into pods that take most of a node', () => {
    const start = Date.parse('2026-11-17T00:00Z');
    const text = 'time,pool,cpu,memory\n0s,default,9,1Gi\n30m,default,1,25Gi\n1h,default,0,0\n';
    const { demands } = readTrace(text, loadedConfig(FLOOR), { file: 't.csv', start });
    expect(demands.map(({ pods }) => pods)).toEqual([3, 3, 0]);
  });
});

describe('readTrace', () => {
  const config = loadedConfig(CONFIG);
  const read = (text: string) => readTrace(text, config, { file: 't.csv', start: Date.parse('2026-11-17T00:00Z') });

  test('counts cpu and memory into pods of the size of the unit', () => {
    const trace = read('time,pool,cpu,memory\n0s,default,2500m,4Gi\n30m,default,1,9Gi\n1h,default,0,0\n');
    expect(trace.demands.map(({ at, pods }) => [new Date(at).toISOString().slice(11, 16), pods])).toEqual([
      ['00:00', 3],
      ['00:30', 5],
      ['01:00', 0],
    ]);
  });

  test.each([
    { name: 'an unknown column', text: 'time,pool,nodes\n' },
    { name: 'an unknown pool', text: 'time,pool,pods\n0s,web,1\n' },
    { name: 'one row', text: 'time,pool,pods\n0s,default,1\n' },
    { name: 'one moment', text: 'time,pool,pods\n0s,default,1\n0s,default,2\n' },
    { name: 'an empty file', text: '' },
    { name: 'a column twice', text: 'time,pool,pods,pods\n0s,default,1,2\n' },
    { name: 'half a pod', text: 'time,pool,pods\n0s,default,1.5\n' },
    { name: 'every mistake of every row at once', text: 'time,pool,pods\n0s,web,x\nnoon,default,1\n1h,default\n' },
    {
      name: 'more pods than can be simulated',
      text: `time,pool,pods\n0s,default,20001\n1h,default,${'9'.repeat(400)}\n2h,default,20000\n`,
    },
    { name: 'more cpu than can be simulated', text: 'time,pool,cpu\n0s,default,1E18\n' },
    { name: 'a time after all times', text: 'time,pool,pods\n999999999999d,default,1\n' },
    { name: 'centuries', text: 'time,pool,pods\n1970-01-01,default,1\n2026-11-17,default,1\n' },
    { name: 'amounts of two kinds', text: 'time,pool,cpu,memory\n0s,default,many,lots\n' },
    { name: 'a trace of another kind, shortly', text: `time,pool,pods\n${'0s,web,1\n'.repeat(25)}` },
  ])('refuses $name and names the line', ({ name, text }) => {
    said(
      name,
      refusalOf(() => read(text)),
    );
  });
});

function refusalOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return 'not refused';
}
