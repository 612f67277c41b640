import { mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import type { Snapshot } from '../../lab/console/snapshot/snapshot';
import { BEGIN, fingerprint, firstMinute } from '../../scripts/docs/first-minute';
import { type Look, launchBrowser, openConsole, PATIENCE_MS } from './browser';
import { startProduct } from './product';

/** Lunch opens at 11:30 in Seoul. */
const seoul = (time: string) => Date.parse(`2025-03-11T${time}+09:00`);
const ROOT = join(__dirname, '../..');
const MAX_PICTURE_BYTES = 400_000;
const LOOK = { width: 1280, height: 1040, deviceScaleFactor: 1.25 } as const;

const pool = (name: string, size: number, rest: string) =>
  `  ${name}: {max: 20, base: 1, leadTime: 5m, unit: {node: {cpu: 1, memory: 2Gi}}, interruptions: {surge: 1, max: 4}, schedules: [{name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: ${size}}]${rest}}`;
/** One of them meets the limit of its NodePool. */
const SIX_POOLS = `cluster: {name: shop, region: ap-northeast-2}
nodePools:
${['web', 'orders', 'search', 'checkout', 'mail', 'reports']
  .map((name, index) =>
    pool(
      name,
      4 + (index % 3),
      name === 'search' ? ', pool: {role: nodes, capacityType: [spot], limits: {cpu: 12}}' : '',
    ),
  )
  .join('\n')}
`;

/** In the moment in which the last pod without headroom has got its node. */
const DEMO_LUNCH: Scene = {
  config: readFileSync(join(ROOT, 'headroom.yaml'), 'utf8'),
  scenario: 'lunch',
  at: seoul('11:33:00'),
};

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  if (process.env.UPDATE_PICTURES !== '1') return;
  // By this a test without a browser sees that they are stale.
  const made = fingerprint(await firstMinute(ROOT), ROOT);
  writeFileSync(join(folder(), 'made-from.txt'), `examples/demo.yaml and its figures: ${made}\n`);
});

/** By default nobody's working copy changes; UPDATE_PICTURES=1 makes the ones that the README shows. */
function folder(): string {
  if (process.env.UPDATE_PICTURES !== '1') return mkdtempSync(join(tmpdir(), 'headstart-pictures-'));
  const images = join(ROOT, 'docs/images');
  mkdirSync(images, { recursive: true });
  return images;
}

interface Scene {
  readonly config: string;
  readonly scenario: string;
  readonly at: number;
}

/** Opens the console at a moment of a run, by its link, and gives the snapshot of that moment. */
async function openAt({ config, scenario, at }: Scene, look: Look) {
  const product = await startProduct({ config });
  const link = new URL(product.url);
  const moment = (time: number) => new Date(time).toISOString();
  const params = { scenario, seed: '1', start: moment(BEGIN), at: moment(at) };
  link.search = new URLSearchParams(params).toString();
  const opened = await openConsole(browser, link.href, look);
  const read = "fetch('api/snapshot').then((response) => response.json())";
  const deadline = Date.now() + PATIENCE_MS;
  let seen = await opened.page.evaluate<Snapshot>(read);
  while (seen.clock.now !== at && Date.now() < deadline) {
    await sleep(100);
    seen = await opened.page.evaluate<Snapshot>(read);
  }
  expect(seen.clock.now).toBe(at);
  const shown = new Date(at).toLocaleTimeString('en-GB', { timeZone: 'Asia/Seoul' });
  await opened.page.locator('#clock-time', { hasText: shown }).waitFor();
  await opened.page.locator('#toasts .toast').waitFor({ state: 'detached' });
  return { ...opened, product, seen };
}

test.each<{ name: string; look: Look; scene: Scene; shows: (seen: Snapshot) => void }>([
  ...(['light', 'dark'] as const).map((colorScheme) => ({
    name: `console-${colorScheme}`,
    look: { ...LOOK, colorScheme },
    scene: DEMO_LUNCH,
    shows: showsLunch,
  })),
  {
    name: 'console-phone',
    look: { width: 390, height: 1500, colorScheme: 'light', deviceScaleFactor: 1.25 },
    scene: DEMO_LUNCH,
    shows: showsLunch,
  },
  {
    name: 'console-storm',
    look: { ...LOOK, width: 1600, height: 1200, deviceScaleFactor: 1, colorScheme: 'light' },
    scene: { scenario: 'storm', at: seoul('11:54:20'), config: SIX_POOLS },
    shows: ({ pools, waiting }) => {
      expect(pools).toHaveLength(6);
      expect(pools.filter(({ trouble }) => trouble).map(({ name }) => name)).toEqual(['search']);
      expect(waiting.with.pods).toBe(waiting.without?.pods);
    },
  },
])('$name: a picture of a telling moment, the same each time', async ({ name, look, scene, shows }) => {
  const { page, product, seen, trouble } = await openAt(scene, look);
  try {
    shows(seen);
    const path = join(folder(), `${name}.png`);
    await page.screenshot({ path });
    expect(trouble).toEqual([]);
    expect(statSync(path).size).toBeLessThan(MAX_PICTURE_BYTES);
    console.info(`picture in ${path}`);
  } finally {
    await page.context().close();
    await product.stop();
  }
});

/** The demo, because this is the headroom.yaml that a clone comes with. */
function showsLunch({ peak, simulated }: Snapshot): void {
  expect(simulated[0]).toContain('examples/demo.yaml');
  expect(peak?.with.waits.p95Ms).toBeLessThanOrEqual(1_000);
  expect(peak?.without.waits.p95Ms).toBeGreaterThanOrEqual(50_000);
}
