// One row of the table, of the checkout that is the argument: a hundred NodePools and about a thousand nodes, in the middle of a peak.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';

const [root = '.'] = process.argv.slice(2);
const load = (file: string) => import(join(root, file));
const [POOLS, NODES_EACH, ROUNDS, STREAMED_MS] = [100, 4, 10, 10_000];
const START = Date.parse('2026-11-17T02:00:00Z');
const PEAK = START + 45 * 60_000;

const pools = Array.from({ length: POOLS }, (_, index) => {
  const lunch = `{name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: ${NODES_EACH}}`;
  return `  team-${index}: {max: 20, base: 2, leadTime: 5m, unit: {node: {cpu: 1, memory: 2Gi}}, schedules: [${lunch}]}`;
});
const text = `cluster: {name: shop, region: ap-northeast-2}\nnodePools:\n${pools.join('\n')}\n`;

const { loadConfig } = await load('shared/core/config/read/load.ts');
const { SimulationSource } = await load('lab/console/sources/simulation-source.ts');
const { atLeast } = await load('lab/simulator/engine/karpenter/node-delay.ts');
const { scenarioOf } = await load('lab/simulator/scenarios/scenarios.ts');
const { serveConsole } = await load('lab/console/server/server.ts');
const { foldersOf } = await load('lab/console/server/static-files.ts');

const cpuMs = () => process.cpuUsage().user / 1_000;
const before = cpuMs();
const source = new SimulationSource({
  ...{
    config: loadConfig([{ file: 'x', text }]).config,
    scenario: scenarioOf('storm'),
    seed: 1,
    nodeDelay: atLeast(50),
  },
  ...{ after: START, speed: 60 },
});
await source.start();
const startMs = cpuMs() - before;
await source.command({ kind: 'replay', scenario: 'storm', seed: 1, start: START, at: PEAK });
while (source.snapshot().clock.now < PEAK) await sleep(500);

let bytes = 0;
const began = cpuMs();
for (let round = 0; round < ROUNDS; round += 1) bytes = JSON.stringify(source.snapshot()).length;
const snapshotMs = (cpuMs() - began) / ROUNDS;
const { nodes, hidden } = source.snapshot();

const server = await serveConsole(source, { folders: foldersOf(root), port: 0 });
await source.command({ kind: 'pause', paused: false });
const streamed = await bytesStreamed(`${server.url}api/stream`);
const { paintMs, busyMs } = await painted(server.url);
const cells = [
  ...[execFileSync('git', ['-C', root, 'rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()],
  `${POOLS}, ${nodes.length + (hidden?.nodes ?? 0)}`,
  ...[(startMs / 1_000).toFixed(1), snapshotMs.toFixed(1), (bytes / 1_000).toFixed(0)],
  ...[(streamed / STREAMED_MS).toFixed(0), paintMs.toFixed(0), busyMs.toFixed(0)],
];
console.log(`| ${cells.join(' | ')} |`);
process.exit(0);

async function bytesStreamed(url: string): Promise<number> {
  const reader = (await fetch(url)).body?.getReader();
  const until = performance.now() + STREAMED_MS;
  let read = 0;
  while (performance.now() < until) read += (await reader?.read())?.value?.length ?? 0;
  await reader?.cancel();
  return read;
}

/** The processor time of the page until its first headroom is painted, and then in a second. */
async function painted(url: string): Promise<{ paintMs: number; busyMs: number }> {
  const executablePath = process.env.CHROME_PATH ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, headless: true, args: ['--no-sandbox', '--disable-gpu'] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busy = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000;
  };
  await page.goto(url);
  await page.locator('.pool').first().waitFor({ timeout: 120_000 });
  const paintMs = await busy();
  await sleep(STREAMED_MS);
  const busyMs = ((await busy()) - paintMs) / (STREAMED_MS / 1_000);
  await browser.close();
  return { paintMs, busyMs };
}
