import { join } from 'node:path';
import { parse } from 'yaml';
import { historyOf } from '../../../lab/learning/demand-history';
import { drawReplay, lastDays } from '../../../lab/suggest/replay-suggestion';
import type { HeadroomConfig } from '../../../shared/core/config/config';
import { folderWith, runCli } from '../../cli/run-cli';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FROM = Date.UTC(2026, 10, 2);

/** Three days, too few to be clear: 2 pods, 6 from 11:30 to 13:30 in UTC. */
const TRACE = [
  'time,pool,pods',
  ...[0, 1, 2].flatMap((day) => [
    `${day * 24}h,web,2`,
    `${day * 24 * 60 + 690}m,web,6`,
    `${day * 24 * 60 + 810}m,web,2`,
  ]),
  '72h,web,2',
].join('\n');

/** Its only window is at night, where nothing happens. */
const CONFIG = `
cluster: { name: shop, region: eu-west-2 }
nodePools:
  web:
    max: 8
    leadTime: 5m
    unit: { node: { cpu: 2, memory: 4Gi } }
    schedules:
      - { name: night, timezone: UTC, start: 0 2 * * *, end: 30 2 * * *, desiredReplicas: 1 }
`;

const folder = folderWith({ 'headroom.yaml': CONFIG, 'trace.csv': TRACE });
const words = ['suggest', '--demand', join(folder, 'trace.csv'), '--start', '2026-11-02T00:00Z', '--timezone', 'UTC'];
const config = ['-c', join(folder, 'headroom.yaml')];

interface Case {
  readonly name: string;
  readonly waiting: { readonly pods: number; readonly worstMs: number; readonly over10s: number };
  readonly nodeHours: number;
  readonly cost: number;
}

test('the proposal, this config and no headroom are simulated on the same demand', async () => {
  const { code, out } = await runCli([...words, ...config, '--anyway', '--replay', '--json']);
  expect(code).toBe(0);
  const { replay, nodePools } = JSON.parse(out);
  expect(nodePools.web.schedules).toHaveLength(1);
  expect(replay).toMatchObject({ simulated: true, from: '2026-11-02T00:00:00.000Z', to: '2026-11-05T00:00:00.000Z' });
  const [proposal, today, none] = replay.cases as [Case, Case, Case];
  expect([proposal.name, today.name, none.name]).toEqual(['the proposal itself', "today's config", 'no headroom']);
  // Four pods come at each lunch. They wait for nodes unless the proposal has them ready.
  expect([proposal, today, none].map(({ waiting }) => [waiting.pods, waiting.over10s])).toEqual([
    [12, 0],
    [12, 1],
    [12, 1],
  ]);
  expect(proposal.nodeHours).toBeGreaterThan(today.nodeHours);
  expect(today.nodeHours).toBeGreaterThan(none.nodeHours);
  expect(proposal.cost).toBeGreaterThan(none.cost);
});

test('the table follows the proposal, which stays valid YAML', async () => {
  const { out } = await runCli([...words, ...config, '--anyway', '--replay']);
  expect(out).toContain('Replay of the history of 3 d, from Mon 2 Nov 00:00 UTC, on a simulated cluster.');
  const [, yaml = ''] = /(nodePools:[\s\S]*?)\nReplay of/.exec(out) ?? [];
  expect(Object.keys(parse(yaml).nodePools)).toEqual(['web']);
});

test('a long history is cut to its last 14 days, and that is said', () => {
  const days = 30;
  const times = Float64Array.from({ length: days * 24 + 1 }, (_, hour) => FROM + hour * HOUR);
  const values = times.map((_, hour) => (hour % 24 < 12 ? 2.4 : 5));
  const history = historyOf({ times, values });
  const found = lastDays([
    { pool: 'web', config: {} as HeadroomConfig, history },
    { pool: 'unknown', history },
  ]);
  const { trace } = found;
  expect(trace.to - trace.from).toBe(14 * DAY);
  expect(Math.abs(trace.to - (FROM + days * DAY))).toBeLessThanOrEqual(HOUR);
  expect(trace.demands.every(({ at }) => at >= trace.from)).toBe(true);
  expect(new Set(trace.demands.map(({ pool, pods }) => `${pool} ${pods}`))).toEqual(new Set(['web 3', 'web 5']));
  expect(drawReplay({ ...found, cases: [] }, { width: 200 })).toContain('the last 14 d of the history, which is 30 d');
});

test.each([{ more: ['--node-delay', 'long'], err: '--node-delay' }])('$more is refused', async ({ more, err }) => {
  const run = await runCli([...words, ...config, '--replay', ...more]);
  expect(run).toMatchObject({ code: 1, err: expect.stringContaining(err) });
});
