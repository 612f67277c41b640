import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser, openConsole, until } from './browser';
import { LUNCH_CONFIG, type Product, startProduct } from './product';

let browser: Browser;
let product: Product;
let page: Page;
let trouble: readonly string[] = [];

beforeAll(async () => {
  [browser, product] = await Promise.all([launchBrowser(), startProduct({ args: ['--start', '2025-03-11'] })]);
  ({ page, trouble } = await openConsole(browser, product.url));
});

afterEach(async () => {
  // A test that failed half way must not take the others with it.
  await page.keyboard.press('Escape');
  expect(trouble).toEqual([]);
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

function pool(): Locator {
  return page.locator('.pool[data-pool="orders"]');
}

function wanted(): Locator {
  return pool().locator('.figure-wanted b');
}

function decision(text: string): Locator {
  return page.locator('.decision', { hasText: text }).first();
}

test('the page says what is simulated and shows a timeline that lives', async () => {
  await page.getByText('Simulated', { exact: true }).waitFor();
  expect(await page.locator('#banner-text').textContent()).not.toBe('');
  await pool().locator('canvas').waitFor();
  const before = await page.locator('#clock-time').textContent();
  await until(page, `document.getElementById('clock-time').textContent !== ${JSON.stringify(before)}`);
  expect(await pool().locator('.chart').getAttribute('aria-label')).toContain('Timeline of orders');
});

test('an emergency override shows in the timeline, in the decisions and as pods, until it is released', async () => {
  const linesBegin = 'document.querySelector(\'[data-pool="orders"] .u-over\').offsetTop';
  const before = await page.evaluate<number>(linesBegin);
  await pool().getByRole('button', { name: 'Inflate' }).click();
  await page.getByLabel('At least').fill('99');
  await page.locator('#inflate-send').click();
  await page.getByText("the NodePool's max is 12: enter 12 or less").waitFor();
  await page.getByLabel('At least').fill('11');
  await page.locator('#inflate-for').selectOption('4h');
  await page.getByLabel('because').fill('seen by a browser');
  await page.keyboard.press('Enter');

  await decision('seen by a browser').waitFor();
  await pool().locator('.sentence', { hasText: 'Override by console: at least 11 until' }).waitFor();
  await until(page, `Number(document.querySelector('[data-pool="orders"] .figure-wanted b').textContent) >= 11`);
  expect(await pool().locator('.chart').getAttribute('aria-label')).toMatch(/1[12] wanted/);
  // The band of the override takes a lane above the lines.
  await until(page, `${linesBegin} > ${before}`);
  await until(page, `document.querySelectorAll('[data-pool="orders"] .pod[data-kind="headroom"]').length >= 11`);

  await pool().getByRole('button', { name: 'Release' }).click();
  await pool().locator('.sentence', { hasText: 'Override' }).waitFor({ state: 'detached' });
  await until(page, `Number(document.querySelector('[data-pool="orders"] .figure-wanted b').textContent) < 11`);
});

test('an alarm that fires adds its alarm boost, and the page says why', async () => {
  await pool().getByRole('button', { name: 'Fire alarm queue-depth' }).click();
  await pool().getByRole('button', { name: 'Clear alarm queue-depth', pressed: true }).waitFor();
  await decision('alarm queue-depth: +2').waitFor();
  await pool().locator('.reasons li', { hasText: 'alarm queue-depth: +2' }).waitFor();
  await pool().getByRole('button', { name: 'Clear alarm queue-depth' }).click();
  await pool().getByRole('button', { name: 'Fire alarm queue-depth', pressed: false }).waitFor();
});

test('an interrupted spot node goes away, and an interruption surge stands in for it', async () => {
  // While time stands still, no node comes or goes between looking and clicking.
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  const take = pool().locator('.tile[data-state="ready"] .tile-take:enabled').first();
  await take.waitFor();
  const label = await take.getAttribute('aria-label');
  const name = /Interrupt spot node (\S+)/.exec(label ?? '')?.[1] ?? '';
  await pool().locator(`.tile[data-node="${name}"] .tile-take`).click();
  await page.getByRole('button', { name: 'Resume' }).click();
  await decision('spot notice: +').waitFor();
  await pool().locator(`.tile[data-node="${name}"]`).waitFor({ state: 'detached' });
});

test('the keyboard pauses, changes the speed, jumps, inflates and shows its help', async () => {
  await page.evaluate('document.activeElement?.blur()');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'hidden' });

  await page.keyboard.press('2');
  await page.getByRole('button', { name: '10×', pressed: true }).waitFor();
  await page.locator('body').press('Space');
  await page.getByRole('button', { name: 'Resume', pressed: true }).waitFor();
  const edge = await page.locator('#next-edge').textContent();
  await page.keyboard.press('j');
  await until(page, `document.getElementById('next-edge').textContent !== ${JSON.stringify(edge)}`);
  await page.locator('body').press('Space');
  await page.getByRole('button', { name: 'Pause', pressed: false }).waitFor();
  await page.keyboard.press('3');
  await page.getByRole('button', { name: '60×', pressed: true }).waitFor();

  await page.keyboard.press('i');
  await page.getByRole('dialog', { name: 'Emergency override: orders' }).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.keyboard.press('Tab');
  expect(await page.locator(':focus-visible').count()).toBe(1);
  expect(await page.evaluate("getComputedStyle(document.querySelector(':focus-visible')).outlineStyle")).toBe('solid');
});

test('the theme goes from the system’s to light and dark, and is remembered', async () => {
  const theme = page.locator('#theme');
  expect(await theme.getAttribute('aria-label')).toBe('Theme: system');
  await theme.click();
  await theme.click();
  await page.locator('html[data-theme="dark"]').waitFor();
  await page.reload();
  await page.locator('html[data-theme="dark"]').waitFor();
  expect(await theme.getAttribute('aria-label')).toBe('Theme: dark');
});

test('a mistake in the config shows as the validator’s message, and goes when it is mended', async () => {
  product.writeConfig(LUNCH_CONFIG.replace('max: 12', 'max: -12'));
  await page.locator('#problem-lines li', { hasText: 'max' }).first().waitFor();
  const before = await page.locator('#clock-time').textContent();
  await until(page, `document.getElementById('clock-time').textContent !== ${JSON.stringify(before)}`);
  expect(await wanted().textContent()).not.toBe('');
  product.writeConfig(LUNCH_CONFIG.replace('max: 12', 'max: 11'));
  await page.locator('#problems').waitFor({ state: 'hidden' });
  await pool().locator('.pool-unit', { hasText: 'at most 11' }).waitFor();
  product.writeConfig(LUNCH_CONFIG);
  await pool().locator('.pool-unit', { hasText: 'at most 12' }).waitFor();
});

test('faults are switched on and off from the page', async () => {
  await page.locator('#faults summary').click();
  await page.getByRole('button', { name: '10 % of each' }).click();
  await page.locator('#faults-state', { hasText: '10 % events lost' }).waitFor();
  await page.getByRole('button', { name: 'All off' }).click();
  await page.locator('#faults-state', { hasText: 'off' }).waitFor();
});

test('another scenario starts the run anew, also from a paused clock, and Space does not start it again', async () => {
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  await page.locator('[data-scenario="storm"]').click();
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  // The button has the focus; Space is for the clock.
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await page.getByText('scenario started: Spot storm').waitFor();
  expect(await page.getByText('scenario started').count()).toBe(1);
  await page.locator('[data-scenario="storm"][aria-pressed="true"]').waitFor();
  await page.locator('[data-scenario="lunch"]').click();
  await page.locator('[data-scenario="lunch"][aria-pressed="true"]').waitFor();
});

test('the link to a moment shows it again, with what was done', async () => {
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  await pool().getByRole('button', { name: 'Inflate orders' }).click();
  await page.getByLabel('At least').fill('10');
  await page.keyboard.press('Enter');
  await pool().locator('.sentence', { hasText: 'at least 10 until' }).waitFor();
  await page.getByRole('button', { name: 'Link to this moment' }).click();
  await until(page, "new URLSearchParams(location.search).get('scenario') === 'lunch'");
  const time = await page.locator('#clock-time').textContent();
  const link = page.url();
  await page.locator('[data-scenario="storm"]').click();
  await page.locator('[data-scenario="storm"][aria-pressed="true"]').waitFor();
  await page.goto(link);
  await page.locator('[data-scenario="lunch"][aria-pressed="true"]').waitFor();
  await page.locator('#clock-time', { hasText: time ?? '' }).waitFor();
  await pool().locator('.sentence', { hasText: 'at least 10 until' }).waitFor();
});
