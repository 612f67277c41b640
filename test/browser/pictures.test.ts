import { mkdirSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import type { Command, Snapshot } from '../../console/snapshot/snapshot';
import { type Look, launchBrowser, openConsole, PATIENCE_MS } from './browser';
import { type Product, startProduct } from './product';

const MINUTE = 60_000;
/** The lunch window opens at 11:30 in Seoul. */
const NOON = Date.parse('2025-03-11T12:00:00+09:00');
const MAX_PICTURE_BYTES = 400_000;

const PICTURES: readonly (Look & { readonly name: string })[] = [
  { name: 'console-light', width: 1280, height: 1040, colorScheme: 'light', deviceScaleFactor: 1.25 },
  { name: 'console-dark', width: 1280, height: 1040, colorScheme: 'dark', deviceScaleFactor: 1.25 },
  { name: 'console-phone', width: 375, height: 1500, colorScheme: 'light', deviceScaleFactor: 1.25 },
];

let browser: Browser;
let product: Product;
let page: Page;

beforeAll(async () => {
  [browser, product] = await Promise.all([launchBrowser(), startProduct({ args: ['--start', '2025-03-11'] })]);
  ({ page } = await openConsole(browser, product.url));
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

/** By default nobody's working copy changes; UPDATE_PICTURES=1 makes the ones that the README shows. */
function folder(): string {
  if (process.env.UPDATE_PICTURES !== '1') return mkdtempSync(join(tmpdir(), 'headstart-pictures-'));
  const images = join(__dirname, '../../docs/images');
  mkdirSync(images, { recursive: true });
  return images;
}

function snapshot(): Promise<Snapshot> {
  return page.evaluate("fetch('api/snapshot').then((response) => response.json())");
}

async function send(command: Command): Promise<void> {
  const body = JSON.stringify(JSON.stringify(command));
  const answer = await page.evaluate(`fetch('api/command', {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: ${body},
  }).then((response) => response.json())`);
  expect(answer).toMatchObject({ ok: true });
}

async function when(holds: (seen: Snapshot) => boolean): Promise<Snapshot> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const seen = await snapshot();
    if (holds(seen)) return seen;
    if (Date.now() > deadline) throw new Error(`the sandbox never came so far; its clock says ${seen.clock.now}`);
    await sleep(50);
  }
}

const after = (minutes: number) => when(({ clock }) => clock.now >= NOON + minutes * MINUTE);

test('pods of the lunch peak wait at most 1 s with headroom and at least 50 s without, and pictures show it', async () => {
  const looks = await Promise.all(PICTURES.map((look) => openConsole(browser, product.url, look)));
  await send({ kind: 'speed', speed: 1000 });
  await after(-4);
  await send({ kind: 'speed', speed: 200 });
  await after(3);
  await send({ kind: 'alarm', alarmName: 'orders-queue-depth', firing: true });
  await after(10);
  await send({ kind: 'alarm', alarmName: 'orders-queue-depth', firing: false });
  await after(13);
  await send({ kind: 'takeNode' });
  await after(19);
  await send({ kind: 'inflate', pool: 'orders', atLeast: 9, for: '20m', reason: 'flash sale' });
  await send({ kind: 'speed', speed: 60 });
  // A second wave comes at 12:22 and uses headroom; a slow machine may come too late to see it.
  const { waiting } = await when(
    ({ clock, pools }) =>
      clock.now > NOON + 25 * MINUTE || (clock.now > NOON + 20 * MINUTE && (pools[0]?.used ?? 0) > 0),
  );
  await send({ kind: 'speed', speed: 1 });

  expect(waiting.with.medianMs).toBeLessThanOrEqual(1_000);
  expect(waiting.without?.medianMs).toBeGreaterThanOrEqual(50_000);
  const target = folder();
  for (const [index, { name }] of PICTURES.entries()) {
    const look = looks[index];
    await look?.page.locator('#wait-with', { hasText: /^0\.\d s$/ }).waitFor();
    await look?.page.locator('#wait-without', { hasText: /^[5-9]\d s$/ }).waitFor();
    const path = join(target, `${name}.png`);
    await look?.page.screenshot({ path });
    expect(look?.trouble).toEqual([]);
    expect(statSync(path).size).toBeLessThan(MAX_PICTURE_BYTES);
  }
  console.info(`pictures are in ${target}`);
});
