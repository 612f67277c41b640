import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PoolHistories } from '../../../lab/console/snapshot/pool-histories';
import { followSimulation } from '../../../lab/console/sources/follow-simulation';
import { peakView } from '../../../lab/console/sources/peak-view';
import { demoInsteadOf } from '../../../lab/sandbox/demo';
import { atLeast } from '../../../lab/simulator/engine/karpenter/node-delay';
import { type SideBySide, sideBySide } from '../../../lab/simulator/run/side-by-side';
import { Simulation } from '../../../lab/simulator/run/simulation';
import { scenarioOf } from '../../../lab/simulator/scenarios/scenarios';
import { folderWith } from '../../cli/run-cli';
import { configIn } from '../../fakes/loaded-config';

const ROOT = join(__dirname, '../../..');
const SHIPPED = join(ROOT, 'headroom.yaml');

test('the demo stands in for a headroom.yaml that nobody has edited, on any system, and for no other', () => {
  const demo = join(ROOT, 'examples/demo.yaml');
  const text = readFileSync(SHIPPED, 'utf8');
  const folder = folderWith({ 'windows.yaml': text.replaceAll('\n', '\r\n'), 'mine.yaml': text });
  copyFileSync(SHIPPED, join(folder, 'copy.yaml'));
  const stand = (file: string, env?: string) => demoInsteadOf(join(folder, file), env, ROOT);
  expect([stand('copy.yaml'), stand('windows.yaml')]).toEqual([demo, demo]);
  writeFileSync(join(folder, 'mine.yaml'), text.replace('max: 8', 'max: 9'));
  expect([stand('mine.yaml'), stand('none.yaml'), stand('copy.yaml', 'staging')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

interface Shown {
  readonly peak: SideBySide;
  readonly simulation: Simulation;
  readonly told: readonly string[];
  readonly reasons: string;
  readonly monthly: string | undefined;
}

async function watch(id: string): Promise<Shown> {
  const simulation = new Simulation({
    config: configIn('examples/demo.yaml'),
    scenario: scenarioOf(id),
    seed: 1,
    nodeDelay: atLeast(50),
    after: Date.parse('2026-11-17T14:00:00Z'),
  });
  const peak = sideBySide(simulation);
  if (!peak) throw new Error('nothing to watch');
  const histories = new PoolHistories(simulation.config);
  followSimulation(simulation, histories);
  await simulation.begin();
  await simulation.runUntil(peak.to);
  const zone = { timeZone: 'Asia/Seoul', hourCycle: 'h23', hour: '2-digit', minute: '2-digit' } as const;
  const told = peak
    .moments(simulation.now)
    .map(({ at, text }) => `${new Date(at).toLocaleTimeString('en-GB', zone)} ${text}`);
  const { monthly } = peakView(peak, simulation, histories);
  return {
    peak,
    simulation,
    monthly,
    told,
    reasons: simulation.host.decisions.all.flatMap((one) => one.reasons).join(),
  };
}

test.each([
  {
    id: 'lunch',
    headroom: 'web',
    reason: 'lunch opens',
    told: [
      '11:24 6 nodes requested',
      '11:25 all 8 nodes ready',
      '11:30 lunch: 5 pods start',
      '11:31 lunch: all of them are there',
      '11:32 without headroom: the last has a node',
    ],
  },
  {
    id: 'market',
    headroom: 'trading',
    reason: 'market opens',
    told: [
      '08:54 5 pause pods requested',
      '08:55 all 6 pause pods ready',
      '09:00 market: 24 pods start at once',
      '09:01 without headroom: the last has a node',
      '09:10 market: two fifths stop',
    ],
  },
  {
    id: 'storm',
    headroom: 'workers',
    reason: 'rebalance notices: +',
    told: [
      '23:10 EC2 warns half of the spot nodes',
      '23:10 4 nodes requested',
      '23:11 all 7 nodes ready',
      '23:12 EC2 takes them in two minutes',
      '23:15 without headroom: the last has a node',
    ],
  },
  {
    id: 'flash',
    headroom: 'trading',
    reason: 'Override by on-call',
    told: [
      '23:05 on-call sets an override',
      '23:05 11 pause pods requested',
      '23:06 all 12 pause pods ready',
      '23:10 the sale: 48 pods start within a minute',
      '23:11 without headroom: the last has a node',
    ],
  },
])('in the demo $id shows what its name says, and its slowest pods gain', async ({ id, headroom, reason, told }) => {
  const { peak, simulation, reasons, ...seen } = await watch(id);
  expect(peak.pool.name).toBe(headroom);
  expect(reasons).toContain(reason);
  expect(seen.told).toEqual(told);
  const [having, without] = [peak.with.waits(simulation.now), peak.without.waits(simulation.now)];
  expect(having.pods).toBe(without.pods);
  expect(having.worstMs).toBeLessThan(1_000);
  expect(without.p95Ms).toBeGreaterThan(50_000);
  expect(seen.monthly).toMatch(/^\$\d/);
});
