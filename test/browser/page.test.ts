import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { totalOf } from '../../lab/console/snapshot/headroom-total';
import type { Snapshot } from '../../lab/console/snapshot/snapshot';
import { type Look, launchBrowser, openConsole, overflowOf, PATIENCE_MS, until } from './browser';
import { type FakeFeed, type FakeFeedOptions, startFakeFeed } from './fake-feed';

const HOUR = 3_600_000;
const LOW_CONTRAST = readFileSync(join(__dirname, 'low-contrast.js'), 'utf8');

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

async function show(options: Partial<FakeFeedOptions> = {}, look: Look = {}): Promise<Page> {
  feed = await startFakeFeed({ pools: 2, podsPerPool: 30, speed: 60, after: HOUR, ...options });
  const opened = await openConsole(browser, feed.url, look);
  trouble = opened.trouble;
  return opened.page;
}

async function commandsWhen(count: number): Promise<FakeFeed['commands']> {
  const until = Date.now() + PATIENCE_MS;
  while ((feed?.commands.length ?? 0) < count && Date.now() < until) await new Promise((tick) => setTimeout(tick, 50));
  return feed?.commands ?? [];
}

const HOSTILE = '<img src=x onerror="document.title=`taken`"><b>bold</b>';

function hostile(snapshot: Snapshot): Snapshot {
  return {
    ...snapshot,
    clusterName: HOSTILE,
    simulated: [HOSTILE],
    configProblems: [HOSTILE],
    pools: snapshot.pools.map((pool) => ({ ...pool, reasons: [HOSTILE], unit: HOSTILE })),
    nodes: snapshot.nodes.map((node) => ({ ...node, instanceType: HOSTILE })),
    pods: snapshot.pods.map((pod) => ({ ...pod, name: `${pod.name}${HOSTILE}` })),
    decisions: snapshot.decisions.map((decision) => ({ ...decision, trigger: HOSTILE, reasons: [HOSTILE] })),
  };
}

test('what the cluster says is shown as text, never read as HTML', async () => {
  const page = await show({ change: hostile });
  await page.locator('.decision-trigger', { hasText: HOSTILE }).first().waitFor();
  await page.locator('#problem-lines li', { hasText: HOSTILE }).waitFor();
  await page.locator('.pool .reasons li', { hasText: HOSTILE }).first().waitFor();
  expect(await page.locator('img:not(.brand > img)').count()).toBe(0);
  expect(await page.title()).toBe('Headstart');
});

test('a real cluster offers overrides only, and no simulated alarms, notices or faults', async () => {
  const page = await show({ change: (snapshot) => ({ ...snapshot, mode: 'cluster' }) });
  await page.getByText('Real cluster', { exact: true }).waitFor();
  for (const hidden of ['#speeds', '#scenarios', '#faults', '#take', '#storm', '.button-alarm', '.tile-take'])
    expect([hidden, await page.locator(hidden).first().isVisible()]).toEqual([hidden, false]);
  await page.keyboard.press('a');
  await page.keyboard.press('t');
  expect(feed?.commands).toEqual([]);
  expect(await page.getByRole('button', { name: 'Inflate default' }).isVisible()).toBe(true);
});

test.each([
  {
    name: 'its effect',
    response: { decisions: [{ from: 4, replicas: 8 }] },
    says: 'override at least 8 for 30m: 4 → 8',
  },
  { name: 'no effect', response: { decisions: [{ from: 8, replicas: 8 }] }, says: 'already 8' },
  { name: 'a newer one', response: { decisions: [{ from: 4, replicas: 4, supersededBy: {} }] }, says: 'Not in force' },
  { name: 'nothing decided', response: { decisions: [] }, says: 'the override had no effect' },
  {
    name: 'a refusal',
    response: new Error('the config is for shop; nothing was changed'),
    says: 'nothing was changed',
  },
])('an override on a real cluster shows $name', async ({ response, says }) => {
  const page = await show({ change: (snapshot) => ({ ...snapshot, mode: 'cluster' }), response });
  await page.getByRole('button', { name: 'Inflate default' }).click();
  await page.locator('#inflate-replicas').fill('8');
  await page.getByRole('button', { name: 'Set the override' }).click();
  await page.locator('.toast', { hasText: says }).waitFor();
  // The browser itself reports the refusal.
  if (response instanceof Error) {
    expect(trouble).toEqual([expect.stringContaining('400')]);
    trouble = [];
  }
});

test('headroom that is not on a real cluster is said to be missing, and nothing is cut', async () => {
  const change = (snapshot: Snapshot): Snapshot => ({
    ...snapshot,
    mode: 'cluster',
    pools: snapshot.pools.map((pool) => ({
      ...pool,
      name: `${pool.name}-of-the-shop`,
      sentence: 'Its Deployment does not exist yet.',
    })),
    decisions: snapshot.decisions.map((decision) => ({ ...decision, pool: `${decision.pool}-of-the-shop` })),
    nodes: snapshot.nodes.map((node) => ({ ...node, pool: `${node.pool}-of-the-shop` })),
    waiting: { with: snapshot.waiting.with },
    cost: { total: 0, headroom: 0, nodeHours: 21.4 },
  });
  const page = await show({ change });
  await page.locator('.decision-change', { hasText: '0 → 6' }).first().waitFor();
  const cut: string[] = await page.evaluate(
    "[...document.querySelectorAll('.decision-pool')].filter((pool) => pool.scrollWidth > pool.clientWidth).map((pool) => pool.textContent)",
  );
  expect(cut).toEqual([]);
  await page.locator('.sentence', { hasText: 'Its Deployment does not exist yet' }).first().waitFor();
  expect(await page.locator('#figures').innerText()).not.toMatch(/with|\$/);
});

const TROUBLE = {
  shortSince: 0,
  why: ['NodePool pool-1 uses 8 of its limit of 8 cpu: raise spec.limits.cpu'],
  trouble: true,
} as const;

function withTrouble(snapshot: Snapshot): Snapshot {
  const { now } = snapshot.clock;
  const [first, second, ...others] = snapshot.pools;
  if (!first || !second) throw new Error('two pools');
  return {
    ...snapshot,
    pools: [first, { ...second, wanted: 6, ready: 2, ...TROUBLE, shortSince: now - 14.5 * 60_000 }, ...others],
  };
}

test('a NodePool in trouble comes first, says why and for how long, and the header names it', async () => {
  const page = await show({ change: withTrouble });
  await page.locator('#trouble', { hasText: 'trouble: pool-1' }).waitFor();
  expect(await page.locator('.pool').first().getAttribute('data-pool')).toBe('pool-1');
  const said = await page.locator('.pool').first().locator('.shortage').innerText();
  expect(said).toMatch(/4 short for 14 min\s+NodePool pool-1 uses 8 of its limit of 8 cpu: raise spec.limits.cpu/);
});

test.each([1280, 1440])(
  'the header is one row at %i px, with trouble too, and tiles show the whole instance type',
  async (width) => {
    const change = (snapshot: Snapshot): Snapshot => ({
      ...withTrouble(snapshot),
      clusterName: 'a-cluster-with-a-long-name',
      clock: {
        ...snapshot.clock,
        next: { at: snapshot.clock.now + 117 * 60_000, label: 'default: lunch closes 13:30' },
      },
      nodes: snapshot.nodes.map((node) => ({ ...node, instanceType: 'm6idn.24xlarge' })),
    });
    const page = await show({ change }, { width });
    await page.locator('#trouble', { hasText: 'trouble' }).waitFor();
    const tops: number[] = await page.evaluate(
      "[...document.querySelectorAll('.top > *')].filter((part) => part.offsetHeight > 0).map((part) => part.offsetTop + part.offsetHeight / 2)",
    );
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(4);
    const cut: string[] = await page.evaluate(
      "[...document.querySelectorAll('.tile-type, #next-edge, #trouble')].filter((type) => type.scrollWidth > type.clientWidth || type.scrollHeight > type.clientHeight).map((type) => type.textContent)",
    );
    expect(cut).toEqual([]);
  },
);

test('a message covers nothing that can be pressed', async () => {
  const page = await show({ response: { note: 'Nothing is configured for that in default, so no surge follows' } });
  await page.locator('#take').click();
  await page.getByText('spot interruption notice sent. Nothing is configured for that in default').waitFor();
  const covered: string[] = await page.evaluate(`(() => {
    const toasts = document.getElementById('toasts').getBoundingClientRect();
    const meets = ({ left, right, top, bottom }) => left < toasts.right && right > toasts.left && top < toasts.bottom && bottom > toasts.top;
    return [...document.querySelectorAll('button, a, .card, h2')].filter((one) => one.offsetHeight > 0 && meets(one.getBoundingClientRect())).map((one) => one.outerHTML);
  })()`);
  expect(covered).toEqual([]);
});

test('a message pushes the page down where it is scrolled, too', async () => {
  const page = await show({ pools: 6 });
  const inflate = 'document.querySelector(\'[aria-label="Inflate pool-3"]\').getBoundingClientRect().top';
  const bar = "document.querySelector('.top').offsetHeight";
  await page.evaluate(`window.scrollTo(0, ${inflate} + window.scrollY - ${bar} - 4)`);
  expect(await page.evaluate<boolean>(`${inflate} >= ${bar}`)).toBe(true);
  const scrolled = await page.evaluate<number>('window.scrollY');
  expect(scrolled).toBeGreaterThan(0);
  await page.keyboard.press('t');
  await page.getByText('spot interruption notice sent').waitFor();
  expect(await page.evaluate<boolean>(`${inflate} >= ${bar}`)).toBe(true);
  await page.locator('.toast').waitFor({ state: 'detached' });
  await until(page, "!document.documentElement.hasAttribute('data-toasts')");
  expect(await page.evaluate<number>('window.scrollY')).toBe(scrolled);
});

test('what has the focus is never under the top bar', async () => {
  const page = await show({ pools: 6 }, { height: 700 });
  await page.getByRole('button', { name: 'Inflate pool-5' }).focus();
  const covered: string[] = [];
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press('Shift+Tab');
    const name = await page.evaluate<string | null>(
      "document.activeElement.getBoundingClientRect().top < document.querySelector('.top').offsetHeight ? document.activeElement.ariaLabel : null",
    );
    if (name !== null) covered.push(name);
  }
  expect(covered).toEqual([]);
});

test('on paper every card is drawn, dark on light', async () => {
  const page = await show({ pools: 6 }, { colorScheme: 'dark', height: 700 });
  await page.emulateMedia({ media: 'print' });
  // The page hears of it with the next frame.
  await until(page, "document.documentElement.dataset.theme === 'light'");
  await until(page, "document.querySelectorAll('.pool canvas').length === 6");
  const blank: number = await page.evaluate(`[...document.querySelectorAll('#pools .pool')].filter((card) => {
    const canvas = card.querySelector('canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return !data.some((value) => value > 0) || !card.querySelector('h3').checkVisibility({ contentVisibilityAuto: true });
  }).length`);
  expect(blank).toBe(0);
});

test('times carry their zone where zones differ, and the day where it is not today; decisions carry the date', async () => {
  const change = (snapshot: Snapshot): Snapshot => ({
    ...snapshot,
    clock: { ...snapshot.clock, timeZone: 'Asia/Seoul', severalZones: true },
    pools: snapshot.pools.map((pool) => ({
      ...pool,
      sentence: 'Lunch 2025-03-11T02:30Z: 6 nodes. Next, evening closes 2025-03-12T13:30Z: 0 nodes.',
    })),
  });
  const page = await show({ change });
  const said = 'Lunch 11:30 Asia/Seoul: 6 nodes. Next, evening closes Wed 12 Mar 22:30: 0 nodes.';
  await page.locator('.sentence', { hasText: said }).first().waitFor();
  await page.locator('.decision time', { hasText: 'Tue 11 Mar 11:25:00' }).first().waitFor();
  await page.getByText('times in Asia/Seoul').waitFor();
});

test('with 20 NodePools and 2,000 pods at 1000× the clock runs on; rows fold, and unfolded ones are drawn', async () => {
  const page = await show({ pools: 20, podsPerPool: 100, speed: 1000, after: 0 });
  await until(page, "document.querySelectorAll('#pools .pool').length === 20");
  expect(await page.locator('#pools canvas').count()).toBe(0);
  for (const name of ['default', 'pool-7', 'pool-19'])
    await page.getByRole('button', { name, exact: true, expanded: false }).click();
  await until(page, "document.querySelectorAll('#pools canvas').length === 3");
  const clock = page.locator('#clock-time');
  const before = await clock.textContent();
  await until(page, `document.getElementById('clock-time').textContent !== ${JSON.stringify(before)}`);
  const podsOnNodes: number[] = await page.evaluate(
    "[...document.querySelectorAll('.tile .pods')].map((pods) => pods.childElementCount)",
  );
  expect(Math.max(...podsOnNodes)).toBeLessThanOrEqual(20);
});

test('a card begins with a sentence, its times in the page’s zone', async () => {
  const page = await show({ pools: 1, speed: 1, after: 45 * 60_000 });
  const card = page.locator('.pool').first();
  const lines = (await card.innerText()).split('\n').filter((line) => line !== '' && !/alarm|Inflate/.test(line));
  expect(lines.slice(0, 2)).toEqual([
    'default',
    'Lunch 11:30: 6 nodes, ready 3 min early. 6 nodes free. Next, lunch closes 13:30: 0 nodes.',
  ]);
  await card.locator('.pool-unit', { hasText: 'at most 8' }).waitFor();
});

test('the chart tells its sizes at a moment, with who would wait without headroom', async () => {
  const change = (snapshot: Snapshot): Snapshot => {
    const steady = { wanted: 8, ready: 8, inUse: 4, free: 4, at: snapshot.clock.now - 40 * 60_000, wouldWait: 6 };
    const { pools } = withFloor(snapshot);
    return {
      ...snapshot,
      pools: pools.map((pool) => ({ ...pool, ...steady, plan: [], bands: [], timeline: [steady] })),
    };
  };
  const page = await show({ pools: 1, change, speed: 1 });
  await page.locator('.legend li', { hasText: 'would wait without headroom' }).waitFor();
  const box = await page.locator('.chart .u-over').first().boundingBox();
  if (!box) throw new Error('no chart');
  await page.mouse.move(box.x + box.width * (0.03 + 1 / 3 - 0.5 / 3), box.y + 20);
  const tip = page.locator('.chart-tip');
  await tip.getByText('wanted 8 · in use 4 · free 4 · would wait without headroom 6').waitFor();
});

test.each([1280, 390])(
  'the buttons of a card are in one row, and its texts begin at the left, at %i px',
  async (width) => {
    const change = (snapshot: Snapshot): Snapshot => ({
      ...snapshot,
      pools: snapshot.pools.map((pool) => ({
        ...pool,
        override: { size: 'at least 9', until: snapshot.clock.now + HOUR, by: 'ana', reason: 'sale' },
      })),
    });
    const page = await show({ change }, { width });
    const card = page.locator('.pool').first();
    await card.getByRole('button', { name: 'Release' }).waitFor();
    const tops: number[] = await page.evaluate(
      "[...document.querySelector('.pool').querySelectorAll('.pool-actions button')].map((button) => button.offsetTop)",
    );
    expect(tops.length).toBe(3);
    expect(new Set(tops).size).toBe(1);
    const wrong: string[] = await page.evaluate(`[...document.querySelectorAll('.pool p, .pool li, .decision li')]
    .filter((text) => !['start', 'left'].includes(getComputedStyle(text).textAlign) || getComputedStyle(text, '::before').content !== 'none')
    .map((text) => text.textContent)`);
    expect(wrong).toEqual([]);
  },
);

const AREA = 'M0 100V60H400V20H1000V100Z';
const SIDE = { nodes: AREA, pods: AREA, running: AREA, counts: [8, 7, 0] };
const PEAK: NonNullable<Snapshot['peak']> = {
  headroom: 'default',
  from: Date.parse('2025-03-11T02:21:00Z'),
  to: Date.parse('2025-03-11T02:41:00Z'),
  moments: [
    { at: Date.parse('2025-03-11T02:25:00Z'), text: '6 nodes requested' },
    { at: Date.parse('2025-03-11T02:30:00Z'), text: 'lunch: 5 pods start' },
  ],
  with: { ...SIDE, waits: { pods: 5, medianMs: 50, p95Ms: 50, worstMs: 50 } },
  without: { ...SIDE, counts: [5, 5, 2], waits: { pods: 5, medianMs: 57_000, p95Ms: 60_000, worstMs: 60_000 } },
  monthly: '$64.64',
};

test('the first minutes stand side by side: what happened, on one axis, the waits and the dollars', async () => {
  const page = await show({ change: (snapshot) => ({ ...snapshot, peak: PEAK }) });
  await page.getByRole('heading', { name: 'Lunch peak in default, with headroom and without' }).waitFor();
  expect(await page.locator('#peak-moments li').allInnerTexts()).toEqual([
    '11:25 6 nodes requested',
    '11:30 lunch: 5 pods start',
  ]);
  const figures = async (name: string) =>
    page.getByRole('group', { name, exact: true }).locator('.peak-figures b').allInnerTexts();
  expect(await figures('with headroom')).toEqual(['0.1 s', '$64.64']);
  expect(await figures('without headroom')).toEqual(['60 s', '$0']);
  await page.getByText('2 waiting').waitFor();
  const [upper, lower] = await page.locator('.peak-charts').all();
  const boxes = await Promise.all([upper?.boundingBox(), lower?.boundingBox()]);
  expect(boxes.map((box) => [box?.x, box?.width])).toEqual([
    [boxes[0]?.x, boxes[0]?.width],
    [boxes[0]?.x, boxes[0]?.width],
  ]);
  await page.getByRole('button', { name: 'Watch again' }).click();
  expect(await commandsWhen(1)).toEqual([{ kind: 'scenario', id: 'lunch' }]);
});

test.each([
  { name: 'half of the pods and the tail gain', having: [100, 200], without: [58_000, 60_000], badge: '300× faster' },
  { name: 'the tail gains nothing', having: [100, 117_000], without: [60_500, 118_000], badge: undefined },
  { name: 'nobody waits', having: [0, 0], without: [58_000, 60_000], badge: 'no wait' },
])('the badge tells of the tail too: $name', async ({ having, without, badge }) => {
  const figures = ([medianMs = 0, p95Ms = 0]: number[]) => ({ pods: 20, medianMs, p95Ms, worstMs: p95Ms });
  const waiting = { with: figures(having), without: figures(without) };
  const page = await show({ change: (snapshot) => ({ ...snapshot, waiting }) });
  const ratio = page.locator('#wait-ratio');
  await page.locator('#wait-with').waitFor();
  expect((await ratio.isVisible()) ? await ratio.innerText() : undefined).toBe(badge);
});

test.each([1280, 1180, 390])('while disconnected the header squeezes no word at %i px', async (width) => {
  const page = await show({ change: withTrouble }, { width });
  await feed?.close();
  await page.locator('[data-connection="lost"]').waitFor();
  await page.getByText('disconnected, retrying').waitFor();
  const squeezed: string[] = await page.evaluate(`[...document.querySelectorAll('.top :is(a, p, span, time, button)')]
    .filter((part) => part.checkVisibility() && part.textContent.trim() !== '' && part.clientWidth > 0 && part.scrollWidth > part.clientWidth + 1)
    .map((part) => part.textContent)`);
  expect(squeezed).toEqual([]);
  expect(await page.evaluate("document.getElementById('connection').clientHeight")).toBeLessThan(32);
  expect(await page.locator('#next-edge').isVisible()).toBe(false);
  await page.getByRole('alert').getByText('start it again with npm start; the page then goes on by itself').waitFor();
  for (const name of ['Pause', 'Inflate default', 'Spot storm', 'Interrupt half'])
    expect([name, await page.getByRole('button', { name }).isDisabled()]).toEqual([name, true]);
  expect(await page.locator('#theme').isDisabled()).toBe(false);
  trouble = [];
});

test('pods that come and go leave nothing behind in the page', async () => {
  let frames = 0;
  const change = (snapshot: Snapshot): Snapshot => {
    frames += 1;
    return { ...snapshot, pods: snapshot.pods.map((pod) => ({ ...pod, name: `${pod.name}-${frames}` })) };
  };
  const page = await show({ change });
  const nodes = "document.evaluate('count(//node())', document, null, XPathResult.NUMBER_TYPE).numberValue";
  const shown = (frame: number) =>
    until(page, `Number(document.querySelector('.pod[data-pod]').dataset.pod.split('-').at(-1)) >= ${frame}`);
  await shown(frames + 2);
  const before = await page.evaluate<number>(nodes);
  await shown(frames + 20);
  expect(await page.evaluate<number>(nodes)).toBeLessThan(before * 1.2);
});

/** The first NodePool as a floor whose nodes all run work, with a window ahead that adds to them. */
function withFloor(snapshot: Snapshot): Snapshot {
  const [first, ...others] = snapshot.pools;
  if (!first) throw new Error('no pool');
  const floor = {
    kind: 'floor',
    unit: 'Floor · nodes ≥ 4 vCPU, 16 GiB',
    ...{ wanted: 6, ready: 6, inUse: 6, free: 0, missing: 0 },
    next: { at: snapshot.clock.now + HOUR, replicas: 0, text: '+6', edge: 'lunch opens', units: '6 more nodes' },
  } as const;
  const pools = [{ ...first, ...floor }, ...others];
  return { ...snapshot, pools, headroom: totalOf(pools) };
}

test('a floor that is full of work is neither late nor short, and says how much of it is in use', async () => {
  const page = await show({ pools: 1, change: withFloor });
  const pool = page.locator('.pool').first();
  await pool.locator('.pool-figures', { hasText: /6\s*wanted\s*6\s*in use\s*0\s*free/ }).waitFor();
  expect(await pool.getAttribute('data-short')).toBeNull();
  expect(await pool.locator('.chart').getAttribute('aria-label')).toContain('6 wanted, 6 in use, 0 free');
  await page.locator('.figure', { hasText: 'Headroom ready' }).getByText('6 nodes in use').waitFor();
});

test('the form of an override offers more nodes than there are for a floor, and only there', async () => {
  const page = await show({ change: withFloor });
  const fill = async (pool: number, size: string) => {
    await page.locator('.pool').nth(pool).getByRole('button', { name: 'Inflate' }).click();
    await page.getByLabel(size, { exact: true }).fill('5');
  };
  const submit = () => page.locator('#inflate-send').click();
  await fill(0, 'More');
  await submit();
  await fill(0, 'More');
  await page.getByLabel('Keep').selectOption('nodes in all');
  await page.getByLabel('At least', { exact: true }).fill('4');
  await submit();
  await fill(1, 'At least');
  expect(await page.getByLabel('Keep').isVisible()).toBe(false);
  await submit();
  const reason = 'emergency from the console';
  expect(await commandsWhen(3)).toEqual([
    { kind: 'inflate', pool: 'default', addNodes: 5, for: '30m', reason },
    { kind: 'inflate', pool: 'default', atLeast: 4, for: '30m', reason },
    { kind: 'inflate', pool: 'pool-1', atLeast: 5, for: '30m', reason },
  ]);
});

const WAITED = { pods: 10, medianMs: 400, p95Ms: 900, worstMs: 61_000 };
const COMPARISON: NonNullable<Snapshot['comparison']> = [
  { way: 'room', waiting: WAITED, cost: { total: 3.44, headroom: 1, nodeHours: 12.04 } },
  { way: 'floor', waiting: WAITED, cost: { total: 1.72, headroom: 0, nodeHours: 6 } },
  { way: 'moreNodes', waiting: { ...WAITED, pods: 0 }, cost: { total: 0, headroom: 0, nodeHours: 0 } },
  { way: 'none', waiting: { ...WAITED, medianMs: 52_000 }, cost: { total: 1.5, headroom: 0, nodeHours: 5.2 } },
];

test('room, floor, more nodes and no headroom stand side by side where the scenario compares them', async () => {
  let comparison: Snapshot['comparison'];
  const change = (snapshot: Snapshot): Snapshot => ({ ...snapshot, ...(comparison && { comparison }) });
  const page = await show({ change });
  await page.locator('.decision').first().waitFor();
  expect(await page.locator('#comparison').isVisible()).toBe(false);
  comparison = COMPARISON;
  await page.locator('#comparison').waitFor();
  const rows = await page.locator('#comparison-rows tr').allInnerTexts();
  expect(rows.map((row) => row.split(/\s*\t\s*/))).toEqual([
    ['room', '0.4 s', '61 s', '12.0', '$3.44'],
    ['floor', '0.4 s', '61 s', '6.0', '$1.72'],
    ['more nodes', '–', '–', '0.0', '$0.00'],
    ['no headroom', '52 s', '61 s', '5.2', '$1.50'],
  ]);
  expect(await page.locator('#comparison-same').textContent()).toBe('');
});

test.each([
  {
    name: 'floor and more nodes',
    rows: COMPARISON.map((row) => (row.way === 'moreNodes' ? { ...COMPARISON[1], way: row.way } : row)),
    says: 'Floor and more nodes are the same here: when the windows opened, as many nodes ran as the floor is planned for.',
  },
  {
    name: 'all before the first window',
    rows: COMPARISON.map(({ way }) => ({ ...COMPARISON[2], way })),
    says: 'The same so far: no window has opened.',
  },
])('figures that are the same twice say why: $name', async ({ rows, says }) => {
  const page = await show({ change: (snapshot) => ({ ...snapshot, comparison: rows as typeof COMPARISON }) });
  await page.locator('#comparison-same', { hasText: says }).waitFor();
});

test.each([
  { name: 'a laptop, light', look: { width: 1280, colorScheme: 'light' } },
  { name: 'a laptop, dark', look: { width: 1280, colorScheme: 'dark' } },
  { name: 'a phone, light', look: { width: 375, height: 800, colorScheme: 'light' } },
  { name: 'a small phone, dark', look: { width: 360, height: 740, colorScheme: 'dark' } },
] as const)('$name: nothing is wider than the screen and every text has enough contrast', async ({ look }) => {
  const change = (snapshot: Snapshot): Snapshot => ({
    ...withFloor(snapshot),
    comparison: COMPARISON,
    peak: PEAK,
    configProblems: ['nodePools.default.max: must be 0 or more, got -1'],
    pools: withFloor(snapshot).pools.map((pool) => ({
      ...pool,
      alarms: pool.alarms.map((alarm) => ({ ...alarm, firing: true })),
      override: {
        size: '10 nodes + 8 = 18',
        until: snapshot.clock.now + HOUR,
        by: 'ana',
        reason: 'flash sale',
      },
    })),
  });
  const page = await show({ change }, { ...look, reducedMotion: 'reduce' });
  await page.locator('.pool').first().scrollIntoViewIfNeeded();
  await page.locator('.pool canvas').first().waitFor();
  await page.locator('.sentence').first().waitFor();
  await page.locator('#faults summary').click();
  expect(await overflowOf(page)).toBe(0);
  expect(await page.evaluate(LOW_CONTRAST)).toEqual([]);
});

test('a band of a new kind gets a lane of its own above the lines', async () => {
  let kinds: readonly string[] = ['lead', 'window'];
  const change = (snapshot: Snapshot): Snapshot => ({
    ...snapshot,
    pools: snapshot.pools.map((pool) => ({ ...pool, bands: pool.bands.filter(({ kind }) => kinds.includes(kind)) })),
  });
  const page = await show({ change });
  const top = "document.querySelector('.chart .u-over').offsetTop";
  await until(page, "document.querySelector('.chart .u-over')");
  const before = await page.evaluate<number>(top);
  kinds = ['lead', 'window', 'surge', 'boost'];
  await until(page, `${top} > ${before} + 20`);
  kinds = ['lead', 'window'];
  await until(page, `${top} === ${before}`);
});

test('every button and field has a name that a screen reader can say, and no two buttons the same', async () => {
  const page = await show({ pools: 3 });
  const nameless: string[] = await page.evaluate(`[...document.querySelectorAll('button, input, select')]
    .filter((element) => !(element.getAttribute('aria-label') || element.textContent.trim() || element.closest('label')))
    .map((element) => element.outerHTML)`);
  expect(nameless).toEqual([]);
  const names: string[] = await page.evaluate(
    "[...document.querySelectorAll('button')].map((button) => (button.ariaLabel ?? button.textContent).trim()).filter((name) => name !== '')",
  );
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('with reduced motion nothing is animated', async () => {
  const page = await show({}, { reducedMotion: 'reduce' });
  await page.locator('.tile[data-state="launching"]').first().waitFor();
  expect(await page.evaluate('document.getAnimations().length')).toBe(0);
});
