import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { launchBrowser, openConsole, until } from './browser';
import { type Product, startProduct } from './product';

let browser: Browser;
let product: Product | undefined;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

test('a fresh clone shows the demo from its beginning, and Jump leads from moment to moment', async () => {
  const config = readFileSync(join(__dirname, '../../headroom.yaml'), 'utf8');
  product = await startProduct({ config, args: ['--start', '2025-03-11', '--speed', '1'] });
  // Time in which a clock that nobody watches must not run on.
  await sleep(1_500);
  const { page, trouble } = await openConsole(browser, product.url);
  await page.locator('#banner-text', { hasText: 'this is the demo examples/demo.yaml' }).waitFor();
  expect(await page.locator('#clock-time').textContent()).toMatch(/^11:21:0\d$/);
  expect(await page.locator('#pools .pool').count()).toBe(3);

  const moments = page.locator('#peak-moments li');
  const jump = async (text: string) => {
    await page.keyboard.press('j');
    await moments.filter({ hasText: text }).waitFor();
  };
  // At the edge itself nothing is requested yet: schedules fire within a minute.
  await page.keyboard.press('j');
  await until(page, "document.getElementById('clock-time').textContent >= '11:24'");
  await jump('all 8 nodes ready');
  expect(await moments.allInnerTexts()).toEqual(['11:24 6 nodes requested', '11:25 all 8 nodes ready']);
  await jump('lunch: 5 pods start');
  await jump('lunch: all of them are there');
  await page
    .getByRole('group', { name: 'without headroom' })
    .getByText(/\d waiting/)
    .waitFor();
  await page
    .getByRole('group', { name: 'with headroom', exact: true })
    .locator('.peak-wait', { hasText: '0.1 s' })
    .waitFor();
  expect(trouble).toEqual([]);
});
