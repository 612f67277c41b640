import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../cli/run-cli';
import { golden } from '../../golden/golden';
import { eventually } from '../simulator/run/eventually';
import { type StartedConsole, startConsole } from './start-console';

const GOOD = `
cluster: { name: my-cluster, region: ap-northeast-2 }
nodePools:
  service:
    max: 20
    base: 1
    leadTime: 5m
    price: 0.05
    unit: { node: { cpu: 1, memory: 2Gi } }
    schedules:
      - { name: lunch, timezone: Asia/Seoul, start: 30 11 * * MON-FRI, end: 30 13 * * MON-FRI, desiredReplicas: 6 }
    alarms: [{ alarmName: orders-high, add: 2, hold: 5m }]
    interruptions: { surge: 1, max: 4 }
`;

let folder: string;
let config: string;
let started: StartedConsole | undefined;

/** Starts the console as `npm start` does, with its API over real HTTP. */
async function start(...flags: string[]): Promise<StartedConsole> {
  started = await startConsole('--config', config, '--start', '2026-03-02', '--speed', '300', ...flags);
  return started;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headstart-main-'));
  config = join(folder, 'headroom.yaml');
  writeFileSync(config, GOOD);
});

afterEach(async () => {
  await started?.end();
  started = undefined;
  rmSync(folder, { recursive: true, force: true });
});

test('the console shows a running timeline, takes commands and ends cleanly', async () => {
  const { output, snapshot, send, end } = await start();
  expect(output).toContain('a simulation');
  const kubeconfig = /KUBECONFIG=(\S+)/.exec(output)?.[1] ?? '';
  expect(readFileSync(kubeconfig, 'utf8')).toContain('http://127.0.0.1:');

  const first = await snapshot();
  expect(first).toMatchObject({ mode: 'sandbox', scenario: { id: 'lunch' }, clock: { speed: 300, paused: false } });
  await eventually('the clock', async () => (await snapshot()).clock.now > first.clock.now);

  expect(await send({ kind: 'inflate', pool: 'service', atLeast: 9, for: '20h', reason: 'test' })).toMatchObject({
    ok: true,
  });
  await eventually('the override', async () => (await snapshot()).pools[0]?.override?.by === 'console');
  await eventually('ready headroom', async () => ((await snapshot()).pools[0]?.ready ?? 0) >= 9);

  await send({ kind: 'alarm', alarmName: 'orders-high', firing: true });
  await eventually('the boost', async () =>
    (await snapshot()).pools[0]?.reasons.join().includes('alarm orders-high: +2'),
  );
  const taken = await send({ kind: 'takeNode' });
  expect(taken).toMatchObject({ ok: true, node: expect.stringContaining('compute.internal') });
  const reasons = async () => (await snapshot()).decisions.flatMap((decision) => decision.reasons).join();
  await eventually('the surge', async () => (await reasons()).includes('1 spot notice: +'));
  await eventually('the node is gone', async () => (await snapshot()).nodes.every(({ name }) => name !== taken.node));
  expect((await snapshot()).decisions.map(({ trigger }) => trigger)).toEqual(
    expect.arrayContaining(['inflate by console', 'alarm orders-high: ALARM', 'spot notice']),
  );
  expect(await send({ kind: 'inflate', pool: 'service', atLeast: 99, for: '2h', reason: 'x' })).toMatchObject({
    ok: false,
    error: expect.stringContaining('above max 20'),
  });

  expect(await end()).toBe(0);
  expect(existsSync(kubeconfig)).toBe(false);
});

test('another scenario starts anew and keeps the kubeconfig', async () => {
  const { snapshot, send } = await start('--faults', 'lost=0.2');
  await send({ kind: 'scenario', id: 'flash' });
  expect(await snapshot()).toMatchObject({ scenario: { id: 'flash' }, faults: { lost: 0.2 } });
  await send({ kind: 'faults', faults: { lost: 0, doubled: 0, late: 0, apiErrors: 0.1 } });
  expect((await snapshot()).faults.apiErrors).toBe(0.1);
  expect(await send({ kind: 'scenario', id: 'dinner' })).toMatchObject({ ok: false });
  const { clock } = await snapshot();
  await eventually('the clock', async () => (await snapshot()).clock.now > clock.now + 60_000);
});

test('a mistake in the config shows and breaks nothing, and a good one is deployed', async () => {
  const { snapshot } = await start();
  writeFileSync(config, GOOD.replace('max: 20', 'max: twenty'));
  const [line] = await eventually('the problem', async () => {
    const { configProblems } = await snapshot();
    return configProblems.length > 0 && configProblems;
  });
  expect(line).toMatch(/headroom\.yaml:\d+:\d+: nodePools\.service\.max/);
  const { clock } = await snapshot();
  await eventually('the clock', async () => (await snapshot()).clock.now > clock.now);

  const next = join(folder, 'next.yaml');
  writeFileSync(next, GOOD.replace('base: 1', 'base: 3'));
  copyFileSync(next, config);
  await eventually('no problem', async () => (await snapshot()).configProblems.length === 0);
  await eventually('the new base', async () => ((await snapshot()).pools[0]?.wanted ?? 0) >= 3);
});

test('the first edit of the shipped config ends the demo and begins a run of its own', async () => {
  const shipped = readFileSync('headroom.yaml', 'utf8');
  writeFileSync(config, shipped);
  const { snapshot, output } = await start();
  expect(output).toContain('this is the demo examples/demo.yaml, until you edit headroom.yaml');
  expect(await snapshot()).toMatchObject({ clusterName: 'demo-shop', peak: { headroom: 'web' } });
  const edited = join(folder, 'edited.yaml');
  writeFileSync(edited, shipped.replace('max: 8', 'max: 9'));
  copyFileSync(edited, config);
  const seen = await eventually('the own config', async () => {
    const one = await snapshot();
    return one.clusterName === 'my-cluster' && one;
  });
  expect(seen.simulated[0]).not.toContain('demo');
  expect(seen.pools.map(({ name }) => name)).toEqual(['default']);
  expect([...new Set(seen.nodes.map(({ pool }) => pool))]).toEqual(['default']);
  expect(seen.peak?.headroom).toBe('default');
});

const said = golden(`${__dirname}/transcript.txt`);

test.each([
  { name: 'lunch', words: ['--scenario', 'lunch', '--until', '4h'] },
  { name: 'a flash sale', words: ['--scenario', 'flash', '--until', '80m'] },
  { name: 'a spot storm', words: ['--scenario', 'storm', '--until', '2h'] },
  {
    name: 'the market, with faults',
    words: ['--scenario', 'market', '--until', '2h', '--faults', 'on', '--seed', '4'],
  },
  { name: 'a report of lunch beside the truth', words: ['--until', '4h', '--report'] },
])('a headless run of $name is printed, and is the same each time', async ({ name, words }) => {
  const { code, out } = await runCli(['sandbox', '--headless', '--config', config, ...words]);
  expect(code).toBe(0);
  said(name, out);
});

test('a headless run prints JSON', async () => {
  const { out } = await runCli(['sandbox', '--headless', '--json', '--until', '1h', '--seed', '4', '--config', config]);
  const { decisions, ...result } = JSON.parse(out);
  expect(result).toMatchObject({ simulated: true, scenario: 'lunch', seed: 4 });
  expect(decisions).toEqual(expect.any(Array));
});

test('a config that cannot be used ends it with its message', async () => {
  writeFileSync(config, 'nodePools: {}');
  const broken = await runCli(['sandbox', '--config', config, '--headless']);
  expect(broken).toMatchObject({ code: 1, out: '', err: expect.stringContaining('headroom.yaml:1:1') });
});
