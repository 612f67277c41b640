import fc from 'fast-check';
import { headroomBy } from '../../../lab/learning/backtest';
import type { Demand } from '../../../lab/learning/demand';
import { mergeInto } from '../../../lab/suggest/merge-config';
import { ownRisesIn } from '../../../lab/suggest/own-requests';
import { suggestFor } from '../../../lab/suggest/suggestion';
import type { Config, HeadroomConfig } from '../../../shared/core/config/config';
import { loadConfig } from '../../../shared/core/config/read/load';
import { seededNoise } from '../learning/series';
import { suggested, traceOf } from './learn-from';

const DAY_MINUTES = 1_440;
const DAYS = 21;
/** A Monday. */
const FROM = Date.UTC(2026, 5, 1);

function configOf(schedules: string, lead = '5m', unit = 'node: { cpu: 3 }'): string {
  return `cluster: { name: c, region: eu-central-1 }\nnodePools:\n  default:\n    max: 100\n    leadTime: ${lead}\n    unit: { ${unit} }\n    schedules: ${schedules}\n`;
}

function loaded(text: string): Config {
  const result = loadConfig([{ file: 'headroom.yaml', text }]);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.config;
}

const headroomOf = (text: string) => loaded(text).headrooms[0] as HeadroomConfig;

function demandOf(at: (day: number, minute: number) => number): Demand {
  const values = new Float64Array(DAYS * DAY_MINUTES).map((_, index) =>
    Math.max(0, Math.round(at(Math.floor(index / DAY_MINUTES), index % DAY_MINUTES))),
  );
  return { from: FROM, values };
}

/** What a count of nodes shows: work, and headroom whose nodes take some minutes. */
function withHeadroom(demand: Demand, own: HeadroomConfig, minutes: (at: number) => number): Demand {
  const held = headroomBy({ ...own, floor: false }, demand);
  const values = demand.values.map((work, at) => work + (held[Math.max(0, at - minutes(at))] as number));
  return { ...demand, values };
}

const lunchAt = (start: number, size: number) => (_: number, minute: number) =>
  5 + (minute >= start && minute < start + 90 ? size : 0);

const shop = fc.record({
  seed: fc.integer({ min: 1, max: 1e6 }),
  /** Quarters of an hour. */
  start: fc.integer({ min: 4, max: 85 }),
  size: fc.integer({ min: 6, max: 40 }),
  noise: fc.constantFrom(0, 0.02, 0.05),
  lead: fc.integer({ min: 2, max: 10 }),
  weekdays: fc.boolean(),
});

function clock(minute: number): string {
  return `${minute % 60} ${Math.floor(minute / 60)}`;
}

const windowAt = (start: number, size: number, days: string) =>
  `[{ name: lunch, timezone: UTC, start: ${clock(start)} * * ${days}, end: ${clock(start + 45)} * * ${days}, desiredReplicas: ${size} }]`;

test('work that rises when a window starts or later, by people or by the clock, is never taken for our own requests', () => {
  const honest = fc.record({
    late: fc.integer({ min: 0, max: 15 }),
    jitter: fc.constantFrom(0, 1, 4),
    ramp: fc.nat(30),
  });
  fc.assert(
    fc.property(shop, honest, ({ seed, start, size, noise, lead, weekdays }, { late, jitter, ramp }) => {
      const normal = seededNoise(seed);
      const shifts = Array.from({ length: DAYS }, () => Math.round(Math.abs(normal()) * jitter));
      const own = headroomOf(configOf(windowAt(start * 15, size, weekdays ? 'MON-FRI' : '*'), `${lead}m`));
      const demand = demandOf((day, minute) => {
        const since = minute - start * 15 - late - (shifts[day] as number);
        const rises = since >= 0 && since < 120 && (!weekdays || day % 7 < 5);
        return 10 + (rises ? size * Math.min(1, (since + 1) / (ramp + 1)) : 0) + size * noise * normal();
      });
      expect(ownRisesIn(demand, own)).toBeUndefined();
    }),
    { numRuns: 150 },
  );
});

test('work around the start, half of it before, is hardly ever taken for our own requests: people are not punctual', () => {
  const refused = Array.from({ length: 300 }, (_, seed) => {
    const normal = seededNoise(seed + 1);
    const shifts = Array.from({ length: DAYS }, () => Math.round(normal() * 3));
    const own = headroomOf(configOf(windowAt(720, 20, '*'), `${2 + (seed % 9)}m`));
    return ownRisesIn(
      demandOf((day, minute) => lunchAt(720 + (shifts[day] as number), 20)(day, minute)),
      own,
    );
  }).filter((found) => found !== undefined);
  expect(refused.length).toBeLessThanOrEqual(1);
});

test('work beside windows that were learned from it is never taken for our own requests', () => {
  fc.assert(
    fc.property(shop, ({ seed, start, size, noise, weekdays }) => {
      const normal = seededNoise(seed);
      const demand = demandOf((day, minute) => {
        const isOpen = minute >= start * 15 + 7 && minute < start * 15 + 90 && (!weekdays || day % 7 < 5);
        return 10 + (isOpen ? size : 0) + size * noise * normal();
      });
      const times = Float64Array.from(demand.values, (_, index) => FROM + index * 60_000);
      const text = configOf('[]');
      const settings = { cover: 0.99, most: 5, learnDays: DAYS, timezone: 'UTC', anyway: true };
      const one = suggestFor('default', { times, values: demand.values }, loaded(text), settings);
      expect(ownRisesIn(demand, headroomOf(mergeInto(text, [one]).text))).toBeUndefined();
    }),
    { numRuns: 12 },
  );
});

test.each([
  { name: 'nodes', slowest: 2, unit: 'node: { cpu: 3 }' },
  { name: 'pods with the pause pods among them', slowest: 0, unit: 'slice: { cpu: 1, memory: 1Gi }' },
])('a count of $name is known by our own requests, whatever work does', ({ slowest, unit }) => {
  fc.assert(
    fc.property(shop, ({ seed, start, size, noise, weekdays }) => {
      const normal = seededNoise(seed);
      const own = headroomOf(configOf(windowAt(start * 15, size, weekdays ? 'MON-FRI' : '*'), '5m', unit));
      const work = demandOf((day, minute) => lunchAt(start * 15, size)(day, minute) + size * noise * normal());
      const minutes = Array.from({ length: DAYS }, () => Math.min(slowest, Math.round(Math.abs(normal()) * slowest)));
      const seen = withHeadroom(work, own, (at) => minutes[Math.floor(at / DAY_MINUTES)] as number);
      expect(ownRisesIn(seen, own)).toMatchObject({ window: { name: 'lunch' } });
    }),
    { numRuns: 100 },
  );
});

test('learned from a count of nodes, windows grow with each round, until that is refused', () => {
  const work = demandOf(lunchAt(720, 10));
  const round = (text: string, source?: string) => {
    const { values } = withHeadroom(work, headroomOf(text), () => 1);
    const times = Float64Array.from(values, (_, index) => FROM + index * 60_000);
    const settings = { cover: 0.99, most: 5, learnDays: DAYS, timezone: 'UTC', source };
    return mergeInto(text, [suggestFor('default', { times, values }, loaded(text), settings)]).text;
  };
  const held = (text: string) =>
    headroomBy({ ...headroomOf(text), floor: false }, work).reduce((sum, size) => sum + size, 0) / 60 / (DAYS / 7);
  const first = round(configOf('[]'), '--query');
  const third = round(round(first));
  expect(held(third)).toBeGreaterThan(2 * held(first));
  expect(() => round(first, '--query')).toThrow('--query: pool default rises with our own requests');
});

test('the refusal says what was seen and what to write instead', async () => {
  const lunch = '{ name: lunch, timezone: UTC, start: 0 12 * * *, end: 0 13 * * *, desiredReplicas: 20 }';
  const trace = traceOf((minute) => (minute >= 716 && minute < 780 ? 25 : 5), { every: 1 });
  const { code, err } = await suggested(configOf(`[${lunch}]`), trace);
  expect(code).toBe(1);
  expect(err).toBe(
    '--demand: pool default rises with our own requests: on 7 of the last 7 occurrences of lunch it climbs by 20 in the 5 min before its start (0 12 * * * UTC), when its headroom is requested and before work comes. Windows learned from that grow each time. Query what work itself asks for: the default query (without --query), requests a second, or pods outside of the namespace of headstart; not nodes, their capacity, or pause pods. If it is work that comes so early, start lunch 5 min earlier first\n',
  );
});
