const { layBands } = require('../../../../lab/console/page/pools/chart-bands.js');
const { columnsOf, topOf, viewOf } = require('../../../../lab/console/page/pools/chart-data.js');
const { clockTime, money, span, useZone, waited, zoneOffset } = require('../../../../lab/console/page/lib/format.js');
const { replayOf } = require('../../../../lab/console/page/lib/link.js');
const { createSmoothClock } = require('../../../../lab/console/page/lib/smooth-clock.js');
const { roundTimes } = require('../../../../lab/console/page/pools/time-axis.js');

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOON = Date.parse('2025-03-11T12:00:00Z');

test('a link that was cut off asks for nothing that the server would take for another run', () => {
  expect(replayOf('?scenario=lunch&did=%5B%7B%22at%22')).toMatchObject({ scenario: 'lunch', actions: '[{"at"' });
  expect(replayOf('?theme=dark')).toBeUndefined();
});

describe('the timeline’s view', () => {
  test('stands still while the run is young, then slides with the clock', () => {
    const early = viewOf(NOON, NOON + MINUTE, 3 * HOUR);
    expect(viewOf(NOON, NOON + HOUR, 3 * HOUR)).toEqual(early);
    expect(early.from).toBeLessThan(NOON);
    const late = viewOf(NOON, NOON + 9 * HOUR, 3 * HOUR);
    expect(late.to - late.from).toBe(3 * HOUR);
    expect(late.from).toBeGreaterThan(NOON + 6 * HOUR);
    expect(late.to).toBeGreaterThan(NOON + 9 * HOUR);
  });
});

describe('the timeline’s columns', () => {
  const pool = {
    wanted: 6,
    inUse: 1,
    free: 4,
    timeline: [
      { at: NOON - 2 * HOUR, wanted: 0, inUse: 0, free: 0 },
      { at: NOON - 5 * MINUTE, wanted: 6, inUse: 0, free: 0 },
      { at: NOON, wanted: 6, inUse: 1, free: 4 },
    ],
    plan: [
      { at: NOON - HOUR, replicas: 6 },
      { at: NOON + HOUR, replicas: 0 },
      { at: NOON + 9 * HOUR, replicas: 6 },
    ],
  };
  const now = NOON + MINUTE;
  const [times, used, stacked, plan, wanted, waiting] = columnsOf(
    pool,
    { from: NOON - HOUR, to: NOON + 2 * HOUR },
    now,
  );

  test('what held before the view holds at its beginning', () => {
    expect(times[0]).toBe(NOON - HOUR);
    expect(wanted[0]).toBe(0);
  });

  test('what was ends now; what is planned begins now and ends with the view', () => {
    expect(times.slice(-3)).toEqual([now, NOON + HOUR, NOON + 2 * HOUR]);
    expect(wanted.slice(-3)).toEqual([6, null, null]);
    expect(used.slice(-3)).toEqual([1, null, null]);
    expect(stacked.slice(-3)).toEqual([5, null, null]);
    expect(plan.slice(-3)).toEqual([6, 0, 0]);
    expect(plan[0]).toBeNull();
  });

  test('who would wait without headroom is a line from their first moment to their last', () => {
    const point = (minutes, wouldWait) => ({ at: NOON - minutes * MINUTE, wanted: 6, inUse: 0, free: 6, wouldWait });
    const timeline = [point(30), point(20, 4), point(19, 2), point(18), point(5)];
    const line = columnsOf({ ...pool, timeline }, { from: NOON - HOUR, to: NOON }, NOON).at(-1);
    expect(line.slice(0, 6)).toEqual([null, 4, 2, 0, null, null]);
    expect(topOf({ ...pool, timeline: [point(20, 30)] })).toBeGreaterThan(30);
  });

  test('all columns have one value for each time', () => {
    for (const column of [used, stacked, plan, wanted, waiting]) expect(column).toHaveLength(times.length);
  });

  test('the axis has room above the highest value, planned ones too', () => {
    expect(topOf(pool)).toBeGreaterThan(6);
    expect(topOf({ ...pool, plan: [{ at: NOON, replicas: 40 }] })).toBeGreaterThan(40);
  });
});

describe('bands', () => {
  const view = { from: NOON, to: NOON + 6 * HOUR };
  const band = (kind, from, to, label = kind) => ({ kind, label, from: NOON + from, ...(to && { to: NOON + to }) });

  test('a lead and its window share a lane; another kind gets one of its own', () => {
    const laid = layBands([band('lead', 0, 10), band('window', 10, 50), band('boost', 20, 30)], view);
    expect(laid.map(({ kind, lane }) => [kind, lane])).toEqual([
      ['lead', 0],
      ['window', 0],
      ['boost', 1],
    ]);
  });

  test('windows that overlap lie one under the other', () => {
    const laid = layBands([band('window', 0, 50), band('window', 10, 60)], view);
    expect(laid.map(({ lane }) => lane)).toEqual([0, 1]);
  });

  test('surges that overlap are one band that says how many', () => {
    const laid = layBands([band('surge', 20, 40), band('surge', 0, 30), band('surge', 100, 110)], view);
    expect(laid.map(({ label, from, to }) => [label, from - NOON, to - NOON])).toEqual([
      ['2 surges', 0, 40],
      ['surge', 100, 110],
    ]);
  });

  test('a band without an end reaches to the end of the view; one out of view is left out', () => {
    const laid = layBands([band('boost', 5), band('window', -HOUR, -1)], view);
    expect(laid).toEqual([expect.objectContaining({ kind: 'boost', to: view.to })]);
  });
});

describe('the live clock', () => {
  const heard = { now: NOON, startedAt: NOON - HOUR, speed: 60, paused: false };

  test('runs on between two snapshots, never backwards, and not for ever', () => {
    const clock = createSmoothClock();
    clock.hear(heard, 0);
    expect(clock.now(500)).toBe(NOON + 30_000);
    clock.hear({ ...heard, now: NOON + 20_000 }, 501);
    expect(clock.now(502)).toBe(NOON + 30_000);
    expect(clock.now(100_000)).toBe(NOON + 20_000 + 60_000);
  });

  test('stands still while paused, and follows a run that starts anew', () => {
    const clock = createSmoothClock();
    clock.hear({ ...heard, paused: true }, 0);
    expect(clock.now(900)).toBe(NOON);
    clock.hear({ ...heard, startedAt: NOON - 9 * HOUR, now: NOON - 9 * HOUR }, 901);
    expect(clock.now(901)).toBe(NOON - 9 * HOUR);
  });
});

describe('words', () => {
  test.each([
    { name: 'a short wait', words: waited(440), expected: '0.4 s' },
    { name: 'a wait for a node', words: waited(54_300), expected: '54 s' },
    { name: 'a long wait', words: waited(200_000), expected: '3 min 20 s' },
    { name: 'some seconds', words: span(12_400), expected: '12 s' },
    { name: 'many minutes', words: span(48 * MINUTE + 40_000), expected: '48 min' },
    { name: 'hours', words: span(85 * MINUTE), expected: '1 h 25 min' },
    { name: 'days', words: span(30 * HOUR), expected: '1 d 6 h' },
    { name: 'a moment in the past', words: span(-5_000), expected: '0 s' },
    { name: 'cents', words: money(4.2), expected: '$4.20' },
    { name: 'thousands', words: money(12_345.6), expected: '$12,346' },
  ])('$name', ({ words, expected }) => {
    expect(words).toBe(expected);
  });

  test('times are those of the chosen zone, and the axis has round ones', () => {
    useZone('Asia/Kolkata');
    expect(clockTime(NOON)).toBe('17:30:00');
    expect(zoneOffset(NOON)).toBe(5.5 * HOUR);
    expect(roundTimes(NOON, NOON + 2 * HOUR, 4).map(clockTime)).toEqual([
      '17:30:00',
      '18:00:00',
      '18:30:00',
      '19:00:00',
      '19:30:00',
    ]);
  });
});
