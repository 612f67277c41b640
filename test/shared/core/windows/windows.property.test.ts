import fc from 'fast-check';
import { isOpen, nextChange } from '../../../../shared/core/windows/is-open';
import { cronWindow, iso } from './sample-windows';
import { cronText, type ModelCron, modelOpen } from './slow-model';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

/** A zone and an instant at which its clock changes, or nothing special happens. */
const moments = [
  { timezone: 'America/New_York', around: '2026-03-08T07:00:00Z' },
  { timezone: 'America/New_York', around: '2026-11-01T06:00:00Z' },
  { timezone: 'Europe/Prague', around: '2026-03-29T01:00:00Z' },
  { timezone: 'Europe/Prague', around: '2026-10-25T01:00:00Z' },
  { timezone: 'Australia/Lord_Howe', around: '2026-04-04T15:00:00Z' },
  { timezone: 'Australia/Lord_Howe', around: '2026-10-03T15:30:00Z' },
  { timezone: 'America/Santiago', around: '2026-09-06T04:00:00Z' },
  { timezone: 'America/Santiago', around: '2026-04-05T03:00:00Z' },
  { timezone: 'Africa/Casablanca', around: '2026-03-22T02:00:00Z' },
  { timezone: 'Asia/Kathmandu', around: '2026-05-01T00:00:00Z' },
  { timezone: 'Asia/Seoul', around: '2026-12-31T15:00:00Z' },
  { timezone: 'Pacific/Chatham', around: '2026-04-04T14:00:00Z' },
  { timezone: 'UTC', around: '2028-02-29T00:00:00Z' },
];

const some = (from: number, to: number, most: number) =>
  fc
    .uniqueArray(fc.integer({ min: from, max: to }), { minLength: 1, maxLength: most })
    .map((list) => list.sort((a, b) => a - b));

/** Hours near a clock change are drawn more often. */
const hours = fc.oneof(some(0, 4, 3), some(0, 23, 4));
const cron = fc.record({
  minutes: fc.oneof(some(0, 59, 3), fc.constantFrom([0], [30], [0, 15, 30, 45])),
  hours,
  daysOfMonth: fc.option(some(1, 31, 12), { nil: undefined, freq: 4 }),
  daysOfWeek: fc.option(some(0, 6, 4), { nil: undefined, freq: 2 }),
});

/** Edges by the minute, over hours or whole days. */
const all = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const denseCron: fc.Arbitrary<ModelCron> = fc.record({
  minutes: fc.constantFrom(all(0, 59), all(20, 31), all(0, 29), [...all(0, 59).filter((m) => m % 2 === 0)], [0]),
  hours: fc.constantFrom(all(0, 23), all(9, 17), [1, 2, 3], [5]),
  daysOfMonth: fc.constant(undefined),
  daysOfWeek: fc.constantFrom(undefined, undefined, [0, 6], [1, 2, 3, 4, 5], [0]),
});
const denseSituation = fc.record({
  start: denseCron,
  end: denseCron,
  moment: fc.constantFrom(...moments, { timezone: 'Asia/Almaty', around: '2026-11-14T00:00:00Z' }),
  lead: fc.constantFrom(0, 1, 5, 59, 60, 1_440, 1_500, 3_000),
});

const situation = fc.record({
  start: cron,
  end: cron,
  moment: fc.constantFrom(...moments),
  lead: fc.constantFrom(0, 0, 1, 5, 45, 90),
});

describe('windows against a slow model that walks every minute', () => {
  test('isOpen agrees on every minute, also across clock changes', () => {
    fc.assert(
      fc.property(situation, ({ start, end, moment: { timezone, around }, lead }) => {
        fc.pre(cronText(start) !== cronText(end));
        const middle = Date.parse(around);
        // The model starts blind, so it walks ten days before anything is asked.
        const open = modelOpen(start, end, timezone, middle - 12 * DAY, middle + 3 * DAY, lead);
        const window = cronWindow(cronText(start), cronText(end), timezone);
        const known = knownFrom(start.daysOfMonth, start.daysOfWeek);
        const differing: string[] = [];
        for (let instant = middle - 1.5 * DAY; instant <= middle + 1.5 * DAY; instant += 3 * MINUTE) {
          const wanted = open(instant);
          // A monthly start may lie before the walk; only then may the model miss an open window.
          if ((wanted || known) && isOpen(window, instant, lead) !== wanted)
            differing.push(new Date(instant).toISOString());
        }
        expect(differing).toEqual([]);
      }),
      { numRuns: 80, seed: 20261116 },
    );
  });

  test('nextChange is the first minute at which isOpen differs', () => {
    fc.assert(
      fc.property(situation, fc.integer({ min: -600, max: 600 }), (given, offset) => {
        const { start, end, moment, lead } = given;
        fc.pre(cronText(start) !== cronText(end));
        const window = cronWindow(cronText(start), cronText(end), moment.timezone);
        const now = Date.parse(moment.around) + offset * MINUTE;
        const change = nextChange(window, now, lead);
        const before = isOpen(window, now, lead);
        const horizon = now + DAY;
        const early: string[] = [];
        for (let instant = now + MINUTE; instant < Math.min(change ?? horizon, horizon); instant += 7 * MINUTE)
          if (isOpen(window, instant, lead) !== before) early.push(new Date(instant).toISOString());
        expect(early).toEqual([]);
        if (change !== undefined) {
          expect(isOpen(window, change, lead)).toBe(!before);
          expect(isOpen(window, change - 1, lead)).toBe(before);
        }
      }),
      { numRuns: 120, seed: 20261117 },
    );
  });

  test('nextChange finds the first change of the model, also past thousands of edges', () => {
    const almaty = {
      start: { minutes: all(20, 31), hours: [5], daysOfMonth: undefined, daysOfWeek: [0, 6] },
      end: { minutes: all(0, 59), hours: all(0, 23), daysOfMonth: undefined, daysOfWeek: undefined },
      moment: { timezone: 'Asia/Almaty', around: '2026-11-14T00:00:00Z' },
      lead: 1_500 as const,
    };
    fc.assert(
      fc.property(denseSituation, fc.integer({ min: -1_500, max: 1_500 }), (given, offset) => {
        const { start, end, moment, lead } = given;
        fc.pre(cronText(start) !== cronText(end));
        const middle = Date.parse(moment.around);
        const [now, horizon] = [middle + offset * MINUTE, middle + 3 * DAY];
        const open = modelOpen(start, end, moment.timezone, middle - 9 * DAY, middle + 6 * DAY, lead);
        let first = now + MINUTE;
        while (first < horizon && open(first) === open(now)) first += MINUTE;
        const change = nextChange(cronWindow(cronText(start), cronText(end), moment.timezone), now, lead);
        if (first < horizon) expect(iso(change)).toBe(iso(first));
        else expect(change ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(horizon);
      }),
      { numRuns: 40, seed: 20261118, examples: [[almaty, -1_480]] },
    );
  });
});

function knownFrom(daysOfMonth: readonly number[] | undefined, daysOfWeek: readonly number[] | undefined): boolean {
  return daysOfMonth === undefined || daysOfWeek !== undefined;
}
