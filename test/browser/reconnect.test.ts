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

test('Ctrl-C ends the product cleanly; the page says so, and goes on by itself once it is back', async () => {
  product = await startProduct();
  const { page, trouble } = await openConsole(browser, product.url);
  const port = Number(new URL(product.url).port);

  expect(await product.stop()).toBe(0);
  await page.getByText('disconnected, retrying').waitFor();
  const pause = page.getByRole('button', { name: 'Pause' });
  await page.getByText('start it again with npm start').waitFor();
  expect(await pause.isDisabled()).toBe(true);
  await page.keyboard.press('j');
  await page.getByText('disconnected: nothing was sent').waitFor();

  product = await startProduct({ port });
  await page.locator('#connection', { hasText: /^connected$/ }).waitFor();
  expect(await pause.isDisabled()).toBe(false);
  expect(await page.getByText('start it again with npm start').isVisible()).toBe(false);
  const before = await page.locator('#clock-time').textContent();
  await until(page, `document.getElementById('clock-time').textContent !== ${JSON.stringify(before)}`);
  expect(
    trouble.filter(
      (line) => !/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY|ERR_CONNECTION_RESET/.test(line),
    ),
  ).toEqual([]);
});
