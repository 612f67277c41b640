import fc from 'fast-check';
import type { HeadroomConfig } from '../../../../shared/core/config/config';
import { decide } from '../../../../shared/core/decision/decide';
import { nextDecision } from '../../../../shared/core/decision/next-decision';
import { recordRequests, requestedOccurrences } from '../../../../shared/core/occurrences/requests';
import { EMPTY_RECORD, type HeadroomRecord } from '../../../../shared/core/record/record';
import { nextChange } from '../../../../shared/core/windows/is-open';
import type { CronWindow } from '../../../../shared/core/windows/window';
import { configOf } from '../../../fakes/fake-runtime';
import { counted } from '../windows/counted-window';
import { cronWindow, iso } from '../windows/sample-windows';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const NOW = Date.parse('2026-10-20T00:00:00Z');

const [plain] = configOf('  web: {max: 20, base: 1, alarms: [{alarmName: p95, add: 3}]}\n').headrooms;
if (!plain) throw new Error('no pool');
const poolOf = (windows: readonly CronWindow[], more: Partial<HeadroomConfig> = {}): HeadroomConfig => ({
  ...plain,
  ...more,
  windows,
});

const part = (least: number, most: number) =>
  fc.oneof(
    fc.constantFrom('*', '*/2', `${least}-${most}`, `${least + 1}-${most}/2`),
    fc.integer({ min: least, max: most }).map(String),
    fc.uniqueArray(fc.integer({ min: least, max: most }), { minLength: 1, maxLength: 5 }).map((list) => list.join(',')),
  );
/** Whatever can be written, and more often than in life what fires by the minute, rarely or around leap days. */
const cron = fc
  .tuple(
    part(0, 59),
    part(0, 23),
    fc.oneof({ weight: 3, arbitrary: fc.constant('*') }, part(1, 28), fc.constantFrom('29', '31', '1,15')),
    fc.oneof({ weight: 3, arbitrary: fc.constant('*') }, part(1, 12), fc.constant('2')),
    fc.oneof({ weight: 2, arbitrary: fc.constant('*') }, part(0, 6), fc.constantFrom('6,0', 'MON-FRI')),
  )
  .map((fields) => fields.join(' '));
const zone = fc.constantFrom('UTC', ...Intl.supportedValuesOf('timeZone'));
const window = (zones: fc.Arbitrary<string>, crons: fc.Arbitrary<string>) =>
  fc
    .record({ start: crons, end: crons, timezone: zones, replicas: fc.integer({ min: 1, max: 4 }) })
    .filter(({ start, end }) => start !== end)
    .map(({ start, end, timezone, replicas }) => {
      try {
        return cronWindow(start, end, timezone, { replicas });
      } catch {
        return cronWindow('0 9 * * *', '0 17 * * *', timezone, { replicas });
      }
    });
const lead = fc.oneof(fc.constantFrom(0, 1, 5, 60, 1_440, 1_500, 10_080), fc.integer({ min: 0, max: 10_080 }));

/** By walking every minute of half a day. */
function expectFirstChange(situation: Parameters<typeof nextDecision>[0]): void {
  const horizon = situation.now + 0.5 * DAY;
  const { replicas } = decide(situation);
  let first = situation.now + MINUTE;
  while (first < horizon && decide({ ...situation, now: first }).replicas === replicas) first += MINUTE;
  const next = nextDecision(situation);
  if (first < horizon) expect(next).toEqual({ at: first, ...decide({ ...situation, now: first }) });
  else if (next) expect(next.at).toBeGreaterThanOrEqual(horizon);
}

test('the next decision is that of the first minute at which decide says another size', () => {
  const hours = fc.oneof(part(0, 23), fc.constantFrom('*', '9-17'));
  const daily = fc.tuple(part(0, 59), hours).map(([minute, hour]) => `${minute} ${hour} * * *`);
  const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Seoul', 'Australia/Lord_Howe');
  const record = fc.record({
    override: fc.option(fc.integer({ min: 1, max: 600 })),
    surge: fc.integer({ min: -9, max: 600 }),
  });
  fc.assert(
    fc.property(
      fc.array(window(zones, daily), { minLength: 1, maxLength: 3 }),
      fc.constantFrom(0, 5, 45, 1_500),
      record,
      fc.integer({ min: 0, max: 6 * 1_440 }),
      (windows, leadMinutes, { override, surge }, offset) => {
        const now = NOW + offset * MINUTE;
        const intents: HeadroomRecord = {
          ...EMPTY_RECORD,
          surges: { 'i-1': { cause: 'spot', until: now + surge * MINUTE } },
          ...(override !== null && {
            override: {
              ...{ mode: 'atLeast', replicas: 3, by: 'ana', reason: 'sale' },
              ...{ at: now, until: now + override * MINUTE },
            },
          }),
        };
        const interruptions = { surge: 1, max: 5, holdSeconds: 600, on: [] };
        const situation = { pool: poolOf(windows, { leadMinutes, interruptions }), record: intents, now };
        expectFirstChange(situation);
      },
    ),
    { numRuns: 60, seed: 20261119 },
  );
});

test('the same holds where the lead time is learned, and occurrences were requested with a longer one', () => {
  const daily = fc.tuple(part(0, 59), part(0, 23)).map(([minute, hour]) => `${minute} ${hour} * * *`);
  const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Seoul');
  fc.assert(
    fc.property(
      fc.array(window(zones, daily), { minLength: 1, maxLength: 3 }),
      fc.record({ took: fc.integer({ min: 60, max: 3_000 }), longer: fc.integer({ min: 0, max: 90 }) }),
      fc.integer({ min: 0, max: 6 * 1_440 }),
      (windows, { took, longer }, offset) => {
        const now = NOW + offset * MINUTE;
        const named = windows.map((one, index) => ({ ...one, name: `w${index}` }));
        const pool = poolOf(named, {
          leadMinutes: 6,
          autoLead: { minMinutes: 1, maxMinutes: 60, heartbeatMinutes: 1 },
        });
        // Nodes were so much slower, and are so fast now.
        const before = recordRequests(
          { ...EMPTY_RECORD, nodeStarts: startsOf(took + longer * 60) },
          pool,
          now - MINUTE,
        );
        const record = { ...before, nodeStarts: startsOf(took) };
        const situation = { pool, record, now };
        const { replicas } = decide(situation);
        // What was asked for a minute ago is asked for still.
        for (const { window: name, start } of requestedOccurrences(record, pool.windows))
          if (start > now)
            expect(replicas).toBeGreaterThanOrEqual(named.find((one) => one.name === name)?.replicas ?? 9);
        expectFirstChange(situation);
      },
    ),
    { numRuns: 60, seed: 20261122 },
  );
});

const startsOf = (seconds: number) =>
  Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`2026-10-01T00:00:0${i}Z/n`, seconds]));

describe('bounded work', () => {
  // Nine years of days, at most 15 reads each, and a little.
  test('the next change of a window is found in a bounded number of steps, whatever its zone, edges and lead', () => {
    fc.assert(
      fc.property(window(zone, cron), lead, fc.integer({ min: 0, max: 366 }), (given, leadMinutes, day) => {
        const { window: watched, reads } = counted(given);
        nextChange(watched, NOW + day * DAY, leadMinutes);
        expect(reads()).toBeLessThan(60_000);
      }),
      { numRuns: 80, seed: 20261120 },
    );
  });

  test('the next decision is found in a bounded number of steps, however many windows hide it', () => {
    fc.assert(
      fc.property(
        fc.array(window(zone, cron), { minLength: 1, maxLength: 6 }),
        lead,
        fc.integer({ min: 0, max: 366 }),
        fc.boolean(),
        (windows, leadMinutes, day, capped) => {
          const watched = windows.map(counted);
          const pool = poolOf(
            watched.map((one) => one.window),
            { leadMinutes, ...(capped && { max: 1 }) },
          );
          nextDecision({ pool, record: EMPTY_RECORD, now: NOW + day * DAY });
          const reads = watched.reduce((sum, one) => sum + one.reads(), 0);
          expect(reads).toBeLessThan(60_000);
        },
      ),
      { numRuns: 300, seed: 20261121 },
    );
  });

  test.each([
    { name: 'an hourly one', below: cronWindow('3 * * * *', '10 * * * *', 'UTC', { replicas: 3 }) },
    {
      name: 'one that toggles every minute',
      below: cronWindow('*/2 * * * *', '1-59/2 * * * *', 'UTC', { replicas: 3 }),
    },
  ])('a window that never closes is looked at once beside $name', ({ below }) => {
    const never = counted(cronWindow('0 * * * *', '30 * * * *', 'Asia/Seoul', { replicas: 6 }));
    const hidden = counted(below);
    const pool = poolOf([never.window, hidden.window], { leadMinutes: 60 });
    expect(nextDecision({ pool, record: EMPTY_RECORD, now: NOW })).toBeUndefined();
    expect(hidden.reads()).toBeLessThan(100);
    expect(never.reads()).toBeLessThan(2_000);
  });

  test('two windows that take turns for weeks are followed to the day on which one stays away', () => {
    const day = cronWindow('0 8 * * *', '0 20 * * *', 'Asia/Seoul', { replicas: 4, excludeDates: ['2026-11-25'] });
    const night = cronWindow('0 20 * * *', '0 8 * * *', 'Asia/Seoul', { replicas: 4 });
    const next = nextDecision({ pool: poolOf([day, night]), record: EMPTY_RECORD, now: NOW });
    expect([iso(next?.at), next?.replicas]).toEqual(['2026-11-24T23:00:00.000Z', 1]);
  });
});
