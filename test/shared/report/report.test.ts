import fc from 'fast-check';
import { nextChange, openedAt } from '../../../shared/core/windows/is-open';
import type { History, LogLine, Period, PodWait } from '../../../shared/report/history';
import { type PoolReport, reportOf } from '../../../shared/report/report';
import type { Waits } from '../../../shared/report/waits';
import { configOf } from '../../fakes/fake-runtime';

const [MINUTE, HOUR] = [60_000, 3_600_000];
const FROM = Date.UTC(2026, 10, 16, 10);
const at = (minute: number) => FROM + minute * MINUTE;
const clock = (minute: number) => `${minute % 60} ${10 + Math.floor(minute / 60)}`;
const NODE = '{node: {cpu: 4, memory: 16Gi}}';
const FLOOR = '{floor: {cpu: 4, memory: 16Gi}}';

/** A window from one minute after 10:00 to another. */
const daily = (name: string, start: number, end: number, size = 'desiredReplicas: 6') =>
  `{name: ${name}, timezone: UTC, start: ${clock(start)} * * *, end: ${clock(end)} * * *, ${size}}`;
const configWith = (schedules: readonly string[], unit = NODE) =>
  configOf(`  web: {max: 8, leadTime: 5m, price: 0.5, unit: ${unit}, schedules: [${schedules.join(', ')}]}\n`);

/** One value a minute from 10:00 on. */
function periodsOf(sizes: readonly number[], ready: (minute: number) => number = () => 0): readonly Period[] {
  return sizes.map((size, minute) => {
    const range = (value: number) => ({ min: value, max: value });
    return { at: at(minute), ms: MINUTE, desired: range(size), ready: range(ready(minute)) };
  });
}

function poolOf(config: ReturnType<typeof configWith>, periods: readonly Period[], more: Partial<History> = {}) {
  const span = { from: FROM, to: FROM + periods.length * MINUTE };
  const history = { periods: new Map([['web', periods]]), lines: [], loggedFrom: 0, ...more };
  return reportOf(config, span, history).pools[0] as PoolReport;
}

/** Units that work took within a second, as the next heartbeat logs it. */
const took = (minute: number, units: number): LogLine => ({
  at: at(minute + 1),
  message: 'work took headroom',
  headroom: 'web',
  units,
  pods: units,
  since: new Date(at(minute)).toISOString(),
  until: new Date(at(minute) + 999).toISOString(),
});

const hours = (minutes: number) => Math.round((minutes / 60) * 1e6) / 1e6;

describe('time counts once', () => {
  test('where the lead time of an occurrence overlaps the one before, for each window and in all', () => {
    const hourly = '{name: hourly, timezone: UTC, start: 0 * * * *, end: 57 * * * *, desiredReplicas: 6}';
    const { windows, inAll, outsideWindows } = poolOf(configWith([hourly]), periodsOf(Array(180).fill(6)));
    const [window] = windows;
    expect(window).toMatchObject({ replicaHoursAtMost: 17.7, nodeHoursAtMost: 17.7 });
    expect(window?.occurrences.map(({ replicaHoursAtMost }) => replicaHoursAtMost)).toEqual([5.7, 6, 6]);
    expect([inAll.replicaHoursAtMost, outsideWindows.replicaHoursAtMost]).toEqual([18, 0.3]);
  });

  test('units that work took in such a lead time belong to the occurrence that was still open', () => {
    const hourly = '{name: hourly, timezone: UTC, start: 0 * * * *, end: 57 * * * *, desiredReplicas: 6}';
    const { windows } = poolOf(configWith([hourly]), periodsOf(Array(120).fill(6)), { lines: [took(56, 2)] });
    expect(windows[0]).toMatchObject({ takenAtLeast: 2, podsAtLeast: 2 });
    expect(windows[0]?.occurrences.map(({ takenAtLeast }) => takenAtLeast)).toEqual([2, 0]);
  });

  const range = (max: number) => fc.integer({ min: 0, max });
  const someWindows = fc.array(fc.tuple(range(200), fc.integer({ min: 1, max: 90 })), { minLength: 1, maxLength: 6 });
  const someSizes = fc.array(range(6), { minLength: 120, maxLength: 300 });

  test('as a minute-by-minute count, whatever the windows and sizes', () => {
    fc.assert(
      fc.property(someWindows, someSizes, (spans, sizes) => {
        const config = configWith(spans.map(([start, length], index) => daily(`w${index}`, start, start + length)));
        const pool = poolOf(config, periodsOf(sizes));
        // A size stands until the value after it.
        const most = sizes.map((size, minute) => Math.max(size, sizes[minute - 1] ?? 0));
        const isIn = (minute: number, [start, length]: readonly [number, number]) =>
          minute >= start - 5 && minute < start + length && start < sizes.length;
        const sum = (counts: (minute: number) => boolean) =>
          hours(most.reduce((total, size, minute) => total + (counts(minute) ? size : 0), 0));
        for (const [index, span] of spans.entries())
          expect(pool.windows[index]?.replicaHoursAtMost).toBeCloseTo(
            sum((minute) => isIn(minute, span)),
            4,
          );
        const isOutside = (minute: number) => !spans.some((span) => isIn(minute, span));
        expect(pool.outsideWindows.replicaHoursAtMost).toBeCloseTo(sum(isOutside), 4);
        expect(pool.inAll.replicaHoursAtMost).toBeCloseTo(
          sum(() => true),
          4,
        );
      }),
      { numRuns: 200 },
    );
  });
});

describe('nodes that were there before', () => {
  const counted = (name: string, start: number, nodes: number): LogLine => ({
    at: at(start),
    message: 'headroom decided',
    headroom: 'web',
    counts: { [`${name}@${new Date(at(start)).toISOString()}`]: { nodes } },
  });

  test.each([
    { name: 'the first count is the lower one', counts: [4, 6] as const },
    { name: 'the second count is the lower one', counts: [6, 4] as const },
  ])('where two windows overlap they share the lowest count: $name', ({ counts: [a, b] }) => {
    const config = configWith([daily('a', 10, 70, 'addNodes: 3'), daily('b', 40, 100, 'addNodes: 3')], FLOOR);
    const lines = [counted('a', 10, a), counted('b', 40, b)];
    const { windows, inAll, outsideWindows } = poolOf(config, periodsOf(Array(120).fill(10)), { lines });
    expect(windows.map(({ replicaHoursAtMost }) => replicaHoursAtMost)).toEqual([
      hours(65 * (10 - a)),
      hours(65 * (10 - b)),
    ]);
    // a alone from 5 to 35, both to 70, b alone to 100; ten nodes count outside of both.
    const inside = 30 * (10 - a) + 35 * (10 - Math.min(a, b)) + 30 * (10 - b);
    expect(inAll.replicaHoursAtMost).toBeCloseTo(hours(inside + 25 * 10), 4);
    expect(outsideWindows.replicaHoursAtMost).toBeCloseTo(hours(25 * 10), 4);
  });

  test('of a count that was logged twice the first stands', () => {
    const config = configWith([daily('a', 10, 70, 'addNodes: 3')], FLOOR);
    const lines = [counted('a', 10, 4), { ...counted('a', 10, 7), at: at(11) }];
    expect(poolOf(config, periodsOf(Array(120).fill(10)), { lines }).windows[0]?.occurrences).toMatchObject([
      { counted: 4, replicaHoursAtMost: 6.5 },
    ]);
  });
});

describe('the verdict on an occurrence', () => {
  const START = 30;
  const line = (message: string, seconds: number, fields: object = {}): LogLine => ({
    at: at(START) + seconds * 1_000,
    message,
    headroom: 'web',
    window: 'lunch',
    start: new Date(at(START)).toISOString(),
    ...fields,
  });
  const READY = 'headroom ready for its window';
  const LATE = 'window began without its headroom';
  const verdict = (lines: readonly LogLine[], ready?: (minute: number) => number, size?: string, unit?: string) => {
    const config = configWith([daily('lunch', START, START + 30, size)], unit);
    const [one] = poolOf(config, periodsOf(Array(90).fill(6), ready), { lines }).windows[0]?.occurrences ?? [];
    const { verdict: kind, lateBySecondsAtMost: seconds, why } = one ?? {};
    return { kind, seconds, why };
  };

  test.each([
    { name: 'ready before its start', seconds: -90, kind: 'ready' },
    { name: 'a minute after its start is not late', seconds: 60, kind: 'ready' },
    { name: 'more than a minute is late', seconds: 61, kind: 'late' },
  ])('by the log: $name', ({ seconds, kind }) => {
    expect(verdict([line(READY, seconds)])).toEqual({ kind, seconds, why: undefined });
  });

  test.each([
    // A value is of its whole minute: it was ready at the end of it, at the latest.
    { name: 'ready in the minute before its start', readyFrom: START - 1, kind: 'ready', seconds: 0 },
    { name: 'ready in its first minute', readyFrom: START, kind: 'ready', seconds: 60 },
    { name: 'ready in its second minute', readyFrom: START + 1, kind: 'late', seconds: 120 },
    { name: 'ready in its last minute', readyFrom: START + 29, kind: 'late', seconds: 1_800 },
    { name: 'ready after its end only', readyFrom: START + 30, kind: 'unknown', seconds: undefined },
    { name: 'ready when it was requested', readyFrom: 0, kind: 'ready', seconds: -240 },
  ])('by the metrics: $name', ({ readyFrom, kind, seconds }) => {
    expect(verdict([], (minute) => (minute >= readyFrom ? 6 : 5))).toEqual({ kind, seconds, why: undefined });
  });

  test('the log wins over the metrics', () => {
    expect(verdict([line(READY, 200, { why: 'quota' })], () => 6)).toEqual({
      kind: 'late',
      seconds: 200,
      why: 'quota',
    });
  });

  test('late in the log and never seen ready', () => {
    expect(verdict([line(LATE, 0, { why: 'quota' })])).toEqual({ kind: 'never', seconds: undefined, why: 'quota' });
  });

  test.each([
    { name: 'another window', fields: { window: 'dinner' } },
    { name: 'another occurrence', fields: { start: new Date(at(START) - 24 * HOUR).toISOString() } },
    { name: 'another NodePool', fields: { headroom: 'batch' } },
  ])('a line about $name does not count', ({ fields }) => {
    expect(verdict([line(LATE, 0, fields)]).kind).toBe('unknown');
  });

  test.each([
    { ready: 6, kind: 'ready' },
    { ready: 5, kind: 'unknown' },
  ])('a window above a max that was lowered to 6 needs no more than that: $ready ready', ({ ready, kind }) => {
    const config = configWith([daily('lunch', START, START + 30, 'desiredReplicas: 8')]);
    const lowered = { ...config, headrooms: config.headrooms.map((pool) => ({ ...pool, max: 6 })) };
    const { windows } = poolOf(
      lowered,
      periodsOf(Array(90).fill(6), () => ready),
    );
    expect(windows[0]?.occurrences).toMatchObject([{ verdict: kind }]);
  });

  test('a window that adds to a count needs both, and without the count nothing is known', () => {
    const key = `lunch@${new Date(at(START)).toISOString()}`;
    const lines = [{ at: at(START), message: 'headroom decided', headroom: 'web', counts: { [key]: { nodes: 4 } } }];
    const adds = 'addNodes: 3';
    expect(verdict(lines, () => 7, adds, FLOOR).kind).toBe('ready');
    expect(verdict(lines, () => 6, adds, FLOOR).kind).toBe('unknown');
    expect(verdict([], () => 8, adds, FLOOR).kind).toBe('unknown');
  });
});

test('an occurrence that was open before the report begins is in it', () => {
  const config = configWith([daily('w', 0, 60)]);
  const [window] = config.headrooms[0]?.windows ?? [];
  if (!window) throw new Error('no window');
  expect([openedAt(window, FROM), nextChange(window, FROM)]).toEqual([FROM, FROM + HOUR]);
  const span = { from: FROM + 30 * MINUTE, to: FROM + 2 * HOUR };
  const periods = new Map([['web', periodsOf(Array(120).fill(6)).slice(30)]]);
  const { pools } = reportOf(config, span, { periods, lines: [], loggedFrom: 0 });
  expect(pools[0]?.windows[0]?.occurrences).toMatchObject([{ start: FROM, end: FROM + HOUR, replicaHoursAtMost: 3 }]);
});

test('pods that were created while a window was open are told from the others, and count in both of two windows', () => {
  const waits = new Map([
    ['web', [9, 10, 39, 40, 69, 70, 71].map((minute) => ({ at: at(minute), seconds: minute % 2 }))],
  ]);
  const found = poolOf(configWith([daily('a', 10, 50), daily('b', 40, 70)]), periodsOf(Array(120).fill(6)), { waits });
  const countOf = (one?: Waits) => [one?.pods, one?.underASecondAtLeast, one?.longest];
  expect(found.windows.map((window) => countOf(window.waits))).toEqual([
    [3, 2, 1],
    [2, 1, 1],
  ]);
  expect(countOf(found.waits)).toEqual([3, 1, 1]);
});

test('pods that waited are those of the NodePool, also where its headroom has another name', () => {
  const config = configOf('  web: {nodePool: shared, max: 8, unit: {node: {cpu: 4}}}\n');
  const waits = new Map([['shared', [{ at: at(9), seconds: 0 }]]]);
  expect(poolOf(config, periodsOf(Array(20).fill(6)), { waits }).waits?.pods).toBe(1);
});

describe('who still waited, and which size would have been enough', () => {
  const pod = (minute: number, seconds: number, cpu?: number, workload = 'shop/web'): PodWait => ({
    at: at(minute),
    seconds,
    workload,
    ...(cpu !== undefined && { cpu, memory: cpu * 2 ** 30 }),
  });
  const waitsOf = (unit: string, pods: readonly PodWait[], more = '') => {
    const config = configOf(`  web: {max: 20, base: 6, price: 0.5, unit: ${unit}}\n${more}`);
    return poolOf(config, periodsOf(Array(60).fill(6)), { waits: new Map([['web', pods]]) }).waits;
  };

  test.each<[string, string, readonly PodWait[], object | undefined]>([
    ['nobody waited', NODE, [pod(1, 0), pod(2, 10)], undefined],
    ['one more node for one pod', NODE, [pod(1, 60, 1)], { size: 7, instead: 6, larger: 0 }],
    ['pods that fit on one node', NODE, [pod(1, 60, 2), pod(1, 60, 2)], { size: 7, instead: 6, larger: 0 }],
    ['pods that do not', NODE, [pod(1, 60, 3), pod(1, 60, 2)], { size: 8, instead: 6, larger: 0 }],
    ['pods that waited one after the other', NODE, [pod(1, 60, 4), pod(2, 60, 4)], { size: 7, instead: 6, larger: 0 }],
    ['pods that waited at once', NODE, [pod(1, 90, 4), pod(2, 60, 4)], { size: 8, instead: 6, larger: 0 }],
    ['a pod that is larger than a unit', NODE, [pod(1, 60, 5)], { size: 6, instead: 6, larger: 1 }],
    [
      'slices, several for a pod',
      '{slice: {cpu: 500m}}',
      [pod(1, 60, 1.2), pod(1, 60, 0.1)],
      { size: 10, instead: 6, larger: 0 },
    ],
    ['nodes of a floor', FLOOR, [pod(1, 60, 3), pod(1, 60, 3)], { size: 8, instead: 6, larger: 0 }],
    ['requests that are not known', NODE, [pod(1, 60)], undefined],
  ])('%s', (_, unit, pods, enough) => {
    const found = waitsOf(unit, pods)?.enough;
    expect(found && { size: found.size, instead: found.instead, larger: found.larger }).toEqual(enough);
  });

  test('which size is not said where headrooms share the NodePool', () => {
    const other = '  batch: {nodePool: web, max: 8, unit: {node: {cpu: 4}}}\n';
    expect(waitsOf(NODE, [pod(1, 60, 1)], other)).toMatchObject({ stillWaited: [{ pods: 1 }] });
    expect(waitsOf(NODE, [pod(1, 60, 1)], other)).not.toHaveProperty('enough');
  });

  test('by workload: how many, how long, from when to when', () => {
    const pods = [pod(1, 60, 1), pod(2, 11, 1, 'shop/api'), pod(5, 70, 1), pod(6, 10, 1)];
    expect(waitsOf(NODE, pods)?.stillWaited).toEqual([
      { workload: 'shop/web', pods: 2, longest: 70, from: at(1), to: at(5) },
      { workload: 'shop/api', pods: 1, longest: 11, from: at(2), to: at(2) },
    ]);
  });

  test('with that size, no pod of a unit each waits, whatever the burst and the nodes; with one less, one does', () => {
    const someWaits = fc.array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 11, max: 400 })), {
      minLength: 1,
    });
    fc.assert(
      fc.property(someWaits, (waits) => {
        const pods = waits.map(([minute, seconds]) => pod(minute, seconds, 4)).sort((a, b) => a.at - b.at);
        const more = (waitsOf(NODE, pods)?.enough?.size ?? 0) - 6;
        // A pod that comes takes a unit; it is there again when the node that it really waited for has come.
        const takenAt = (time: number) =>
          pods.filter((one) => one.at <= time && time < one.at + one.seconds * 1_000).length;
        expect(Math.max(...pods.map((one) => takenAt(one.at)))).toBe(more);
      }),
    );
  });
});

describe('what work took is a lower bound', () => {
  const unread = (...minutes: readonly number[]): LogLine[] =>
    minutes.map((minute) => ({ at: at(minute), message: 'reading preemptions failed', reason: '403' }));
  const minutesTo = (end: number) => Array.from({ length: end }, (_, minute) => minute);

  test.each<[string, Partial<History>, boolean]>([
    ['not where all was read', {}, true],
    [
      'after a gap in the metrics',
      { periods: new Map([['web', periodsOf(Array(90).fill(6)).toSpliced(10, 9)]]) },
      false,
    ],
    ['before the log begins', { loggedFrom: at(3) }, false],
    ['not after failures that a later heartbeat made good', { lines: unread(...minutesTo(40), 80, 81) }, true],
    ['after an hour without reading preemptions', { lines: unread(...minutesTo(60)) }, false],
  ])('%s', (_, more, isTakenExact) => {
    expect(poolOf(configWith([daily('a', 10, 50)]), periodsOf(Array(90).fill(6)), more)).toMatchObject({
      isTakenExact,
    });
  });
});

test('nodes of a floor that ran work count beyond those that were there; without Prometheus they are not known', () => {
  const counts = {
    at: at(5),
    message: 'headroom decided',
    headroom: 'web',
    counts: { [`a@${new Date(at(10)).toISOString()}`]: { nodes: 4 } },
  };
  const config = configWith([daily('a', 10, 40, 'addNodes: 6')], FLOOR);
  const work = new Map([
    ['web', Array.from({ length: 60 }, (_, minute) => ({ at: at(minute), nodes: minute < 25 ? 4 : 7 }))],
  ]);
  const more = { lines: [counts] };
  const [known, unknown] = [{ ...more, work }, more].map((one) => poolOf(config, periodsOf(Array(60).fill(10)), one));
  expect(known?.windows[0]).toMatchObject({ mostNodesWithWork: 3, workedNodeHours: hours(45) });
  expect(unknown?.windows[0]).not.toHaveProperty('mostNodesWithWork');
});

test('a surge lasts from its first line to the first without surges, with the notices in that time', () => {
  const decided = (minute: number, surges?: number): LogLine => ({
    at: at(minute),
    message: 'headroom decided',
    headroom: 'web',
    ...(surges && { surges }),
  });
  const notice = (minute: number): LogLine => ({
    at: at(minute),
    message: 'nodes are about to be interrupted',
    headroom: 'web',
    nodes: 1,
  });
  const lines = [
    notice(5),
    ...[notice(9), decided(10, 1), notice(12), decided(12, 2), notice(20), decided(20)],
    ...[notice(21), decided(30), notice(50), decided(50, 1)],
  ];
  const { surges } = poolOf(configWith([daily('a', 10, 50)]), periodsOf(Array(60).fill(6)), { lines });
  expect(
    surges.map(({ from, to, noticesAtMost }) => [(from - FROM) / MINUTE, (to - FROM) / MINUTE, noticesAtMost]),
  ).toEqual([
    [9, 20, 3],
    [49, 60, 1],
  ]);
});
