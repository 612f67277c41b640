import fc from 'fast-check';
import type { HeadroomConfig } from '../../../../shared/core/config/config';
import { shareSizes, unitsBy } from '../../../../shared/core/like/share-sizes';
import { ENOUGH_NODES, leadTimeOf } from '../../../../shared/core/occurrences/lead-time';
import type { HeadroomRecord, RequestRecord } from '../../../../shared/core/record/record';
import { cronWindow } from '../windows/sample-windows';

const MINUTE = 60_000;
const NODE = { kind: 'node', requests: { cpu: '2' } } as const;
const windowOf = (replicas: number, name = 'lunch') =>
  cronWindow('30 11 * * *', '30 13 * * *', 'Asia/Seoul', { name, replicas });
const starts = (seconds: readonly number[]): Pick<HeadroomRecord, 'nodeStarts'> => ({
  nodeStarts: Object.fromEntries(seconds.map((one, i) => [`2026-11-17T03:00:00Z/${i}`, one])),
});
const fixed = { leadMinutes: 5, unit: NODE, max: 100 };
const auto = (minMinutes: number, maxMinutes: number, heartbeatMinutes = 1) => ({
  leadMinutes: 6,
  autoLead: { minMinutes, maxMinutes, heartbeatMinutes },
  unit: NODE,
  max: 100,
});
const many = fc.array(fc.integer({ min: 0, max: 3_600 }), { minLength: ENOUGH_NODES, maxLength: 40 });

test('a lead time that is written is not learned', () => {
  expect(leadTimeOf(fixed, starts([900, 900, 900, 900, 900]), windowOf(6))).toEqual({ minutes: 5 });
});

test('a slower node never shortens it, and neither does another node in the window', () => {
  fc.assert(
    fc.property(
      many,
      fc.nat(),
      fc.integer({ min: 0, max: 900 }),
      fc.integer({ min: 1, max: 40 }),
      (seconds, index, more, nodes) => {
        const slower = seconds.map((one, i) => (i === index % seconds.length ? one + more : one));
        const minutes = (all: readonly number[], n = nodes) =>
          leadTimeOf(auto(2, 15), starts(all), windowOf(n)).minutes;
        expect(minutes(slower)).toBeGreaterThanOrEqual(minutes(seconds));
        expect(minutes(seconds, nodes + 1)).toBeGreaterThanOrEqual(minutes(seconds));
      },
    ),
  );
});

test('is within its bounds and at most four minutes longer than for one node, whatever nodes and occurrences took', () => {
  fc.assert(
    fc.property(
      many,
      fc.integer({ min: 1, max: 10 }),
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.integer({ min: 0, max: 240 }), { maxLength: 8 }),
      (seconds, heartbeat, n, took) => {
        const record = {
          ...starts(seconds),
          requests: Object.fromEntries(took.map((one, day) => occurrence(day, one))),
        };
        const { minutes, nodes } = leadTimeOf(auto(2, 15, heartbeat), record, windowOf(n));
        const one = leadTimeOf(auto(2, 15, heartbeat), starts(seconds), windowOf(1)).minutes;
        expect(minutes - heartbeat).toBeLessThanOrEqual(15);
        expect(minutes).toBeGreaterThanOrEqual(one);
        expect(minutes).toBeLessThanOrEqual(one + 4);
        expect(Number.isInteger(minutes)).toBe(true);
        expect(nodes).toBe(seconds.length);
        const ready = seconds.filter((second) => second <= (minutes - heartbeat) * 60).length;
        if (minutes - heartbeat < 15) expect(ready / seconds.length).toBeGreaterThanOrEqual(0.95);
      },
    ),
  );
});

/** An occurrence of lunch that many days ago whose nodes took so many minutes from request to ready. */
function occurrence(day: number, minutes: number, more: Partial<RequestRecord> = {}, name = 'lunch') {
  const start = Date.parse('2026-11-17T02:30:00Z') - day * 86_400_000;
  const at = start - 4 * MINUTE;
  return [`${name}@${new Date(start).toISOString()}`, { at, ready: at + minutes * MINUTE, ...more }] as const;
}

const FORTY = [...Array(37).fill(100), 130, 170, 200];
const pinned = 'NodePool web uses 16 of its limit of 16 cpu';
const starting = '2 nodes are still starting, the first since 2026-11-17T02:26Z (Launched)';
type Case = Partial<Pick<HeadroomConfig, 'unit' | 'max' | 'shaped'>> & {
  readonly name: string;
  readonly replicas?: number;
  readonly share?: number;
  readonly last?: ReturnType<typeof occurrence>[];
  readonly shares?: HeadroomRecord['shares'];
  readonly minutes: number;
  readonly together: number;
};

const SLICE = { kind: 'slice', requests: { cpu: '1', memory: '1Gi' } } as const;
const CASES: readonly Case[] = [
  { name: 'one node is the 95th percentile', replicas: 1, minutes: 3, together: 1 },
  { name: 'two nodes is a rank above it', replicas: 2, minutes: 3, together: 2 },
  { name: 'six nodes is the slowest of forty', replicas: 6, minutes: 4, together: 6 },
  { name: 'a window above max is that of max nodes', replicas: 60, max: 1, minutes: 3, together: 1 },
  { name: 'no window is that of max nodes', max: 20, minutes: 4, together: 20 },
  { name: 'slices is that of as many nodes', replicas: 6, unit: SLICE, minutes: 4, together: 6 },
  {
    name: 'a share that is not counted is that of max nodes',
    replicas: 0,
    share: 25,
    max: 30,
    minutes: 4,
    together: 30,
  },
  {
    name: 'a share is that of the replicas that were counted last',
    replicas: 0,
    share: 25,
    shares: { a: { replicas: 100, at: 1, until: 9 }, b: { replicas: 4, at: 2, until: 9 } },
    minutes: 3,
    together: 1,
  },
  { name: 'what a slower occurrence took', replicas: 2, last: [occurrence(1, 5)], minutes: 5, together: 2 },
  {
    name: 'the slowest of its last occurrences',
    replicas: 2,
    last: [1, 6, 4].map((m, d) => occurrence(d, m)),
    minutes: 6,
    together: 2,
  },
  { name: 'at most four minutes more', replicas: 2, last: [occurrence(1, 12)], minutes: 7, together: 2 },
  { name: 'not what another window took', replicas: 2, last: [occurrence(1, 7, {}, 'night')], minutes: 3, together: 2 },
  {
    name: 'what took nodes long to start',
    replicas: 2,
    last: [occurrence(1, 5, { why: starting })],
    minutes: 5,
    together: 2,
  },
  {
    name: 'not what waited for a limit',
    replicas: 2,
    last: [occurrence(1, 7, { why: pinned })],
    minutes: 3,
    together: 2,
  },
  {
    name: 'not what waited for capacity',
    replicas: 2,
    last: [occurrence(1, 59, { why: 'no node is starting: EC2 has no capacity, or Karpenter has not acted yet' })],
    minutes: 3,
    together: 2,
  },
  {
    name: 'not what took more than an hour',
    replicas: 2,
    last: [occurrence(1, 62, { why: starting })],
    minutes: 3,
    together: 2,
  },
  {
    name: 'not an occurrence that is not ready',
    replicas: 2,
    last: [occurrence(1, 7, { ready: undefined } as never)],
    minutes: 3,
    together: 2,
  },
];

test.each(CASES)('for $name: $minutes min', (one) => {
  const { name: _name, replicas, share, last = [], shares, minutes, together, ...pool } = one;
  const window = replicas === undefined ? undefined : { ...windowOf(replicas), ...(share !== undefined && { share }) };
  const sizeOf = shareSizes({ kind: 'Deployment', namespace: 'shop', name: 'checkout' }, 1);
  const shaped = { pods: 1, base: sizeOf({ pods: 0 }), max: 30, sizeOf, unitsOf: unitsBy(sizeOf) };
  const record = { ...starts(FORTY), requests: Object.fromEntries(last), ...(shares && { shares }) };
  expect(leadTimeOf({ ...auto(1, 15, 0), ...(share !== undefined && { shaped }), ...pool }, record, window)).toEqual({
    minutes,
    nodes: 40,
    took: 3,
    together,
  });
});
