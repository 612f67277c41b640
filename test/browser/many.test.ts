import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { totalOf } from '../../lab/console/snapshot/headroom-total';
import type { PoolView, Snapshot } from '../../lab/console/snapshot/snapshot';
import { type Look, launchBrowser, openConsole, overflowOf, until } from './browser';
import { type FakeFeed, type FakeFeedOptions, startFakeFeed } from './fake-feed';

const HOUR = 3_600_000;
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

let browser: Browser;
let feed: FakeFeed | undefined;
let trouble: readonly string[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
});

afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
  await feed?.close();
  feed = undefined;
  expect(trouble).toEqual([]);
});

afterAll(async () => {
  await browser?.close();
});

async function show(options: Partial<FakeFeedOptions>, look: Look = {}): Promise<Page> {
  feed = await startFakeFeed({ pools: 3, podsPerPool: 12, speed: 1, after: HOUR, change: shapes, ...options });
  const opened = await openConsole(browser, feed.url, look);
  trouble = opened.trouble;
  return opened.page;
}

const EDIT = 'lunch replaced by argocd-controller 2025-03-11T02:00Z: excludeDates 2025-12-25 → none';

/** A floor in use with a live edit, room in trouble, and one with nothing to show; the others as they are. */
function shapes(snapshot: Snapshot): Snapshot {
  const [floor, room, quiet, ...others] = snapshot.pools.map((pool) => ({ ...pool, name: longName(pool.name) }));
  if (!floor || !room || !quiet) throw new Error('three headrooms');
  const pools: PoolView[] = [
    { ...floor, kind: 'floor', wanted: 6, ready: 6, inUse: 6, free: 0, missing: 0, edits: [EDIT] },
    { ...room, wanted: 6, ready: 3, inUse: 2, free: 3, missing: 1, trouble: true, why: ['no capacity in this zone'] },
    { ...quiet, ...{ wanted: 0, ready: 0, inUse: 0, free: 0, missing: 0 }, sentence: 'No headroom now.', bands: [] },
    ...others,
  ];
  const ofQuiet = ({ pool }: { pool: string }) => pool === 'pool-2';
  const inPool = <T extends { readonly pool: string }>(one: T) => ({ ...one, pool: longName(one.pool) });
  return {
    ...snapshot,
    clusterName: 'a-cluster-with-a-long-name',
    pools: pools.map((pool) => ({ ...pool, nodePool: pool.name })),
    headroom: totalOf(pools),
    nodes: snapshot.nodes.filter((node) => !ofQuiet(node)).map(inPool),
    pods: snapshot.pods.filter((pod) => !ofQuiet(pod)).map(inPool),
    decisions: snapshot.decisions.map((decision) => ({ ...decision, pool: longName(decision.pool) })),
  };
}

function longName(name: string): string {
  return `${name}-checkout-and-payments-eu`;
}

const card = (page: Page, name: string) => page.locator(`.pool[data-pool="${longName(name)}"]`);

test('a headroom with nothing to show is a row, one in trouble comes first, and a key unfolds a row', async () => {
  const page = await show({});
  await card(page, 'pool-2').locator('.sentence', { hasText: 'No headroom now.' }).waitFor();
  const order = await page
    .locator('#pools .pool')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-pool')));
  expect(order).toEqual(['pool-1', 'default', 'pool-2'].map(longName));
  const row = await card(page, 'pool-2').boundingBox();
  expect(row?.height).toBeLessThan(60);
  expect(await card(page, 'pool-2').locator('.pool-actions').count()).toBe(0);
  await card(page, 'pool-2').locator('.fold').focus();
  await page.keyboard.press('Enter');
  await card(page, 'pool-2').locator('canvas').waitFor();
  expect(await page.locator('.fold:focus').getAttribute('aria-expanded')).toBe('true');
  await page.keyboard.press('Enter');
  await card(page, 'pool-2').locator('canvas').waitFor({ state: 'detached' });
});

test('a card says who edited its windows, and when', async () => {
  const page = await show({});
  const said = 'live: lunch replaced by argocd-controller 11:00: excludeDates 2025-12-25 → none';
  await card(page, 'default').locator('.edits li', { hasText: said }).waitFor();
});

test('the legend has what is drawn, and no more', async () => {
  let bands = true;
  const change = (snapshot: Snapshot): Snapshot => {
    const shaped = shapes(snapshot);
    return bands ? shaped : { ...shaped, pools: shaped.pools.map((pool) => ({ ...pool, bands: [] })) };
  };
  const page = await show({ change });
  const legend = page.locator('#legend');
  await legend.getByText('interruption surge').waitFor();
  expect(await legend.getByText('would wait without headroom').count()).toBe(0);
  bands = false;
  await legend.getByText('interruption surge').waitFor({ state: 'detached' });
  await legend.getByText('workload pod').waitFor();
});

test('an entry names its zone once', async () => {
  const change = (snapshot: Snapshot): Snapshot => {
    const { pools, clock, ...rest } = shapes(snapshot);
    const times = 'lunch open since 2025-03-11T02:30Z: 6 nodes';
    return {
      ...rest,
      clock: { ...clock, timeZone: 'Asia/Seoul', severalZones: true },
      pools: pools.map((pool) => ({ ...pool, sentence: `${times}.`, reasons: [times, times] })),
      decisions: rest.decisions.map((decision) => ({
        ...decision,
        trigger: `schedule ${decision.pool}: lunch opens 22:30, requested at 22:25 America/New_York; ci: day closes 09:00 UTC`,
        reasons: [times],
      })),
    };
  };
  const page = await show({ change });
  await card(page, 'default').locator('.reasons').first().waitFor();
  for (const entry of [await card(page, 'default').innerText(), await page.locator('.decision').first().innerText()])
    expect(entry.match(/Asia\/Seoul|America|UTC/g) ?? []).toHaveLength(entry.includes('Asia') ? 1 : 0);
  await page
    .locator('.decision-trigger', { hasText: /^lunch opens$/ })
    .first()
    .waitFor();
});

test.each([390, 768, 1280, 1920])('at %i px cards fill the width, and no name or tile is cut', async (width) => {
  const page = await show({ pools: 4 }, { width });
  await card(page, 'pool-3').locator('canvas').waitFor();
  expect(await overflowOf(page)).toBe(0);
  const cut: string[] =
    await page.evaluate(`[...document.querySelectorAll('.cluster, .fold, .tile, .tile-type, .tile-name, .tiles, .pool-nodes, .sentence, .decision-pool')]
    .filter((one) => one.offsetHeight > 0 && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1) && getComputedStyle(one).display !== 'inline')
    .map((one) => one.className + ': ' + one.textContent.trim())`);
  expect(cut).toEqual([]);
  const unfilled: number = await page.evaluate(`(() => {
    const place = document.getElementById('pools').getBoundingClientRect();
    const lines = Map.groupBy([...document.querySelectorAll('#pools .pool')], (one) => Math.round(one.getBoundingClientRect().top));
    return Math.max(...[...lines.values()].map((line) => place.right - Math.max(...line.map((one) => one.getBoundingClientRect().right))));
  })()`);
  expect(unfilled).toBeLessThan(2);
});

test('twelve headrooms are readable at a glance: each a row with its name, its figures and what comes next', async () => {
  const page = await show({ pools: 12 }, { height: 1100 });
  await until(page, "document.querySelectorAll('#pools .pool').length === 12");
  expect(await page.locator('#pools .pool[data-open]').count()).toBe(1);
  const rows = await page.locator('#pools .pool:not([data-open])').allInnerTexts();
  expect(rows.every((row) => /checkout-and-payments-eu\s.*(nodes free|No headroom)/s.test(row))).toBe(true);
  const heights = await page
    .locator('#pools .pool:not([data-open])')
    .evaluateAll((all) => all.map((one) => (one as unknown as { offsetHeight: number }).offsetHeight));
  expect(Math.max(...heights)).toBeLessThan(60);
});

test('a hundred headrooms and a thousand nodes are drawn as rows, without a timeline', async () => {
  const page = await show({ pools: 100, podsPerPool: 6, change: (snapshot) => snapshot });
  await until(page, "document.querySelectorAll('#pools .pool').length === 100");
  expect(await page.locator('#pools canvas').count()).toBe(0);
  expect(await page.locator('#pools .tile').count()).toBe(0);
});

test.each(['light', 'dark'] as const)('axe finds nothing serious, %s', async (colorScheme) => {
  const page = await show({ pools: 4 }, { colorScheme, reducedMotion: 'reduce' });
  await card(page, 'default').locator('canvas').waitFor();
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`)).toEqual([]);
});
