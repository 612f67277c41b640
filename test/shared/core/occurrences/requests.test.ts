import { MAX_BEGUN, MAX_REQUESTED } from '../../../../shared/core/basics/record-limits';
import type { HeadroomConfig } from '../../../../shared/core/config/config';
import {
  recordRequests,
  requestedOccurrences,
  unreadyOccurrences,
  type Verdict,
  verdictOf,
} from '../../../../shared/core/occurrences/requests';
import type { HeadroomRecord, RequestRecord } from '../../../../shared/core/record/record';
import { configOf } from '../../../fakes/fake-runtime';

const MINUTE = 60_000;
const utc = (time: string, day = 17) => Date.parse(`2026-11-${String(day).padStart(2, '0')}T${time}:00Z`);
const key = (window: string, start: number) => `${window}@${new Date(start).toISOString()}`;

const LUNCH = '{name: lunch, timezone: UTC, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: 6}';
const TEA = '{name: tea, timezone: UTC, start: 30 11 * * *, end: 0 16 * * *, desiredReplicas: 3}';
const poolWith = (text: string): HeadroomConfig => {
  const [pool] = configOf(`  web: {${text}}\n`).headrooms;
  if (!pool) throw new Error('no NodePool');
  return pool;
};
const pool = poolWith(`max: 8, leadTime: 5m, unit: {node: {cpu: 2}}, schedules: [${LUNCH}, ${TEA}]`);
const recordWith = (asked: Readonly<Record<string, RequestRecord>>): HeadroomRecord => ({
  alarms: {},
  surges: {},
  requests: asked,
});

describe('what was asked for', () => {
  test('is told with the newest start first, and by name where two start together', () => {
    const asked = [key('tea', utc('11:30')), key('lunch', utc('11:30')), key('lunch', utc('11:30', 18))];
    const record = recordWith(Object.fromEntries(asked.map((one) => [one, { at: utc('11:25') }])));
    const told = requestedOccurrences(record, pool.windows).map(({ window, start }) => key(window, start));
    expect(told).toEqual([key('lunch', utc('11:30', 18)), key('lunch', utc('11:30')), key('tea', utc('11:30'))]);
    expect(requestedOccurrences({}, pool.windows)).toEqual([]);
  });

  test.each([
    { name: 'ready', more: { ready: utc('11:28') }, told: true },
    { name: 'late', more: { why: 'limits' }, told: true },
    { name: 'neither', more: {}, told: false },
  ])('that is no occurrence any more is told where it was seen to be $name: $told', ({ more, told }) => {
    const moved = key('lunch', utc('12:00'));
    const record = recordWith({ [moved]: { at: utc('11:55'), ...more } });
    expect(requestedOccurrences(record, pool.windows)).toHaveLength(told ? 1 : 0);
    expect(recordRequests(record, pool, utc('20:00')).requests).toEqual(told ? record.requests : undefined);
  });

  test('belongs to the window of its name only', () => {
    const early = poolWith(
      `max: 8, leadTime: 5m, unit: {node: {cpu: 2}}, schedules: [${LUNCH}, ${TEA.replace('30 11', '0 11')}]`,
    );
    expect(
      requestedOccurrences(recordWith({ [key('tea', utc('11:30'))]: { at: utc('11:25') } }), early.windows),
    ).toEqual([]);
  });
});

describe('noting', () => {
  test('says what a learned lead time followed, and nothing of a written one', () => {
    const auto = poolWith(`max: 8, leadTime: auto, unit: {node: {cpu: 2}}, schedules: [${LUNCH}]`);
    const nodeStarts = Object.fromEntries([1, 2, 3, 4, 5].map((i) => [`2026-11-16T03:00:00Z/${i}`, 200]));
    const now = utc('11:30') - 3 * MINUTE;
    expect(recordRequests({ alarms: {}, surges: {}, nodeStarts }, auto, now).requests).toEqual({
      [key('lunch', utc('11:30'))]: { at: now, nodes: 5, took: 4 },
    });
    const [first] = Object.values(recordRequests({ alarms: {}, surges: {} }, pool, now).requests ?? {});
    expect(Object.entries(first ?? {})).toEqual([['at', now]]);
  });

  const written = (at: number, { lead, recordedAt }: { readonly lead: string; readonly recordedAt: number }) => {
    const auto = poolWith(`max: 8, leadTime: {auto: {start: ${lead}, min: 1m, max: 10m}}, schedules: [${LUNCH}]`);
    const live = { since: at, by: 'ana', earlyMinutes: 0 };
    const windows = auto.windows.map((window) => ({ ...window, live }));
    const known = recordWith({ [key('lunch', utc('11:30'))]: { at: recordedAt } });
    return recordRequests(known, { ...auto, windows }, utc('11:26')).requests;
  };

  // With the heartbeat these lead times are 4 and 9 minutes.
  test.each([
    { name: 'an edit before the lead time began stays', lead: '3m', since: '11:24', recordedAt: '11:20', stays: true },
    { name: 'an edit after it began is gone', lead: '8m', since: '11:24', recordedAt: '11:20', stays: false },
    { name: 'a lead time that has grown stays', lead: '8m', since: '11:24', recordedAt: '11:25', stays: true },
  ])('what was requested before $name', ({ lead, since, recordedAt, stays }) => {
    const requests = written(utc(since), { lead, recordedAt: utc(recordedAt) });
    expect(requests).toEqual(stays ? { [key('lunch', utc('11:30'))]: { at: utc(recordedAt) } } : undefined);
  });

  test('leaves no empty list behind', () => {
    expect(Object.keys(recordRequests(recordWith({}), pool, utc('20:00')))).not.toContain('requests');
  });

  test('keeps the last occurrences that have begun and the next ones to come, however they stand in the record', () => {
    const days = Array.from({ length: 30 }, (_, i) => i + 1);
    const inDisorder = [...days.filter((day) => day % 2), ...days.filter((day) => day % 2 === 0)];
    const asked = inDisorder.map((day) => [key('lunch', utc('11:30', day)), { at: utc('11:25', day) }]);
    const kept =
      recordRequests(recordWith(Object.fromEntries(asked)), pool, utc('11:30', 17) - 10 * MINUTE).requests ?? {};
    const begun = days.filter((day) => day < 17).slice(-MAX_BEGUN);
    const coming = days.filter((day) => day >= 17);
    expect(Object.keys(kept)).toEqual(
      [...begun, ...coming].slice(0, MAX_REQUESTED).map((day) => key('lunch', utc('11:30', day))),
    );
  });

  test('drops the same one of two that began together, in whatever order they stand', () => {
    const later = Array.from({ length: MAX_BEGUN - 1 }, (_, day) => key('lunch', utc('11:30', 16 - day)));
    const together = [key('lunch', utc('11:30', 5)), key('tea', utc('11:30', 5))];
    const keptOf = (asked: readonly string[]) =>
      recordRequests(
        recordWith(Object.fromEntries(asked.map((one) => [one, { at: utc('11:25', 5), ready: utc('11:29', 5) }]))),
        pool,
        utc('09:00'),
      ).requests;
    const kept = Object.keys(keptOf([...together, ...later]) ?? {});
    expect(kept).toContain(key('tea', utc('11:30', 5)));
    expect(kept).not.toContain(key('lunch', utc('11:30', 5)));
    expect(Object.keys(keptOf([...together.toReversed(), ...later]) ?? {})).toEqual(kept);
  });

  test('counts an occurrence that begins at this instant among those that have begun', () => {
    const asked = Array.from({ length: MAX_BEGUN + 1 }, (_, i) => key('lunch', utc('11:30', 17 - i)));
    const record = recordWith(Object.fromEntries(asked.map((one) => [one, { at: 0 }])));
    expect(Object.keys(recordRequests(record, pool, utc('11:30')).requests ?? {})).toHaveLength(MAX_BEGUN);
  });
});

describe('an occurrence that is not ready', () => {
  const only = (schedule: string, record: HeadroomRecord, now: number) =>
    unreadyOccurrences(
      record,
      { ...poolWith(`max: 8, leadTime: 5m, unit: {floor: {cpu: 2}}, schedules: [${schedule}]`), max: 4 },
      now,
    );

  test('wants what its window asks for, up to max', () => {
    const record = recordWith({ [key('lunch', utc('11:30'))]: { at: utc('11:25') } });
    expect(only(LUNCH, record, utc('11:27')).map(({ wanted }) => wanted)).toEqual([4]);
  });

  test('wants max more than were counted at most, and nothing before they are counted', () => {
    const relative = LUNCH.replace('desiredReplicas', 'addNodes');
    const record = recordWith({ [key('lunch', utc('11:30'))]: { at: utc('11:25') } });
    expect(only(relative, record, utc('11:27'))).toEqual([]);
    const counts = { [key('lunch', utc('11:30'))]: { nodes: 10, at: utc('11:25'), until: utc('13:30') } };
    expect(only(relative, { ...record, counts }, utc('11:27')).map(({ wanted }) => wanted)).toEqual([14]);
  });
});

describe('the verdict', () => {
  const start = utc('11:30');
  const rows: readonly { name: string; ready?: number; now: number; expected: Verdict }[] = [
    { name: 'before its start', now: start - 1, expected: { kind: 'coming' } },
    { name: 'ready ahead', ready: start - 2 * MINUTE, now: start, expected: { kind: 'ready', ms: 2 * MINUTE } },
    {
      name: 'ready within a heartbeat',
      ready: start + MINUTE - 1,
      now: start + MINUTE,
      expected: { kind: 'ready', ms: 0 },
    },
    { name: 'ready a minute late', ready: start + MINUTE, now: start + MINUTE, expected: { kind: 'late', ms: MINUTE } },
    { name: 'not ready at its start', now: start, expected: { kind: 'lateSoFar', ms: 0 } },
    { name: 'open and not ready', now: start + 5 * MINUTE, expected: { kind: 'lateSoFar', ms: 5 * MINUTE } },
    { name: 'over and never ready', now: utc('13:30'), expected: { kind: 'never' } },
    { name: 'the same window, open on another day', now: utc('12:00', 18), expected: { kind: 'never' } },
  ];
  test.each(rows)('$name', ({ ready, now, expected }) => {
    const occurrence = { window: 'lunch', start, at: utc('11:25'), ...(ready !== undefined && { ready }) };
    expect(verdictOf(occurrence, pool.windows, now)).toEqual(expected);
  });

  test('does not look at windows of other names', () => {
    const occurrence = { window: 'supper', start, at: utc('11:25') };
    expect(verdictOf(occurrence, pool.windows, start + MINUTE)).toEqual({ kind: 'never' });
  });
});
