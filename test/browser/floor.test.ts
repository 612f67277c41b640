import type { Browser, Page } from 'playwright-core';
import type { Snapshot } from '../../lab/console/snapshot/snapshot';
import { launchBrowser, openConsole } from './browser';
import { type Product, startProduct } from './product';

/** As in the README: six more nodes for lunch, however many run before it. */
const CONFIG = `cluster: {name: shop, region: ap-northeast-2}
nodePools:
  default:
    max: 8
    leadTime: 5m
    unit: {floor: {cpu: 4, memory: 16Gi}}
    schedules: [{name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, addNodes: 6}]
`;

let browser: Browser;
let product: Product;

beforeAll(async () => {
  [browser, product] = await Promise.all([launchBrowser(), startProduct({ config: CONFIG })]);
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

function linkTo(time: string): string {
  const moment = (clock: string) => new Date(`2025-03-11T${clock}+09:00`).toISOString();
  const run = { scenario: 'lunch', seed: '1', start: moment('11:00:00'), at: moment(time) };
  return `${product.url}?${new URLSearchParams(run)}`;
}

async function reached(page: Page, time: string): Promise<void> {
  await page.locator('#clock-time', { hasText: time }).waitFor();
}

test('a page that is opened later, and a link, show how the nodes of a floor filled up, and say it first', async () => {
  const first = await openConsole(browser, linkTo('12:23:00'));
  await reached(first.page, '12:23:00');
  await first.page.context().close();

  const { page, trouble } = await openConsole(browser, product.url);
  await reached(page, '12:23:00');
  await page
    .locator('.sentence', {
      hasText: /^Lunch 11:30: 6 nodes ready 3 min early, 7 of 8 in use\. \$0\.\d\d extra so far; ends 13:30\.$/,
    })
    .waitFor();
  await page.locator('.pool-unit', { hasText: 'adds at most 8' }).waitFor();
  const { pools } = await page.evaluate<Snapshot>("fetch('api/snapshot').then((response) => response.json())");
  const since = Date.parse('2025-03-11T11:29:00+09:00');
  const ramp = pools[0]?.timeline.filter(({ at }) => at > since).map(({ used }) => used) ?? [];
  expect([...new Set(ramp)].slice(-5)).toEqual([3, 4, 5, 6, 7]);
  expect(trouble).toEqual([]);
  await page.context().close();
});
