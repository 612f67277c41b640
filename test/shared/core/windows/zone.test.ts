import {
  canonicalTimezone,
  endInstant,
  isTimezone,
  offsetAt,
  startInstant,
  toLocal,
} from '../../../../shared/core/windows/zone';
import { at, iso } from './sample-windows';

const MINUTE = 60_000;

describe('a time zone', () => {
  test.each([
    'UTC',
    'Asia/Seoul',
    'America/Port-au-Prince',
    'America/Argentina/Buenos_Aires',
    'America/North_Dakota/New_Salem',
    'Etc/GMT+9',
  ])('is %s', (timezone) => {
    expect(isTimezone(timezone)).toBe(true);
  });

  test.each([
    '',
    'EST',
    'utc',
    'GMT',
    '+09:00',
    'Seoul',
    'Asia/',
    'Asia/Seoul ',
    ' UTC',
    'UTC ',
    'Mars/Olympus',
    'Asia Seoul',
  ])('is not %p', (timezone) => {
    expect(isTimezone(timezone)).toBe(false);
  });
});

describe('local time is ahead of UTC by', () => {
  test.each([
    { timezone: 'UTC', instant: '2026-07-01T00:00:00Z', minutes: 0 },
    { timezone: 'Asia/Seoul', instant: '2026-11-15T15:00:00Z', minutes: 540 },
    { timezone: 'Asia/Seoul', instant: '2026-12-31T15:00:00Z', minutes: 540 },
    { timezone: 'Asia/Seoul', instant: '2026-11-16T02:34:56.789Z', minutes: 540 },
    { timezone: 'Asia/Kathmandu', instant: '2026-11-15T18:15:00Z', minutes: 345 },
    { timezone: 'America/New_York', instant: '2026-01-01T04:59:59Z', minutes: -300 },
    { timezone: 'America/New_York', instant: '2026-03-08T06:59:59.999Z', minutes: -300 },
    { timezone: 'America/New_York', instant: '2026-03-08T07:00:00Z', minutes: -240 },
    { timezone: 'America/New_York', instant: '2026-11-01T05:59:59.999Z', minutes: -240 },
    { timezone: 'America/New_York', instant: '2026-11-01T06:00:00Z', minutes: -300 },
    { timezone: 'Australia/Lord_Howe', instant: '2026-04-04T14:59:59.999Z', minutes: 660 },
    { timezone: 'Australia/Lord_Howe', instant: '2026-04-04T15:00:00Z', minutes: 630 },
    { timezone: 'Australia/Lord_Howe', instant: '2026-10-03T15:29:59.999Z', minutes: 630 },
    { timezone: 'Australia/Lord_Howe', instant: '2026-10-03T15:30:00Z', minutes: 660 },
    { timezone: 'Pacific/Chatham', instant: '2026-04-04T13:59:59.999Z', minutes: 825 },
    { timezone: 'Pacific/Chatham', instant: '2026-04-04T14:00:00Z', minutes: 765 },
  ])('$minutes minutes in $timezone at $instant', ({ timezone, instant, minutes }) => {
    expect(offsetAt(timezone, at(instant))).toBe(minutes * MINUTE);
    expect(toLocal(timezone, at(instant))).toBe(at(instant) + minutes * MINUTE);
  });
});

describe('the instant of a local time', () => {
  test.each([
    { timezone: 'Asia/Seoul', local: '2026-11-16T11:30', start: '2026-11-16T02:30', end: '2026-11-16T02:30' },
    // The clock jumps from 02:00 to 03:00.
    { timezone: 'America/New_York', local: '2026-03-08T01:59', start: '2026-03-08T06:59', end: '2026-03-08T06:59' },
    { timezone: 'America/New_York', local: '2026-03-08T02:00', start: '2026-03-08T07:00', end: '2026-03-08T07:00' },
    { timezone: 'America/New_York', local: '2026-03-08T02:01', start: '2026-03-08T07:00', end: '2026-03-08T07:01' },
    { timezone: 'America/New_York', local: '2026-03-08T02:59', start: '2026-03-08T07:00', end: '2026-03-08T07:59' },
    { timezone: 'America/New_York', local: '2026-03-08T03:00', start: '2026-03-08T07:00', end: '2026-03-08T07:00' },
    // The clock goes back from 02:00 to 01:00.
    { timezone: 'America/New_York', local: '2026-11-01T00:59', start: '2026-11-01T04:59', end: '2026-11-01T04:59' },
    { timezone: 'America/New_York', local: '2026-11-01T01:00', start: '2026-11-01T05:00', end: '2026-11-01T06:00' },
    { timezone: 'America/New_York', local: '2026-11-01T01:59', start: '2026-11-01T05:59', end: '2026-11-01T06:59' },
    { timezone: 'America/New_York', local: '2026-11-01T02:00', start: '2026-11-01T07:00', end: '2026-11-01T07:00' },
    // East of Greenwich.
    { timezone: 'Europe/Prague', local: '2026-03-29T02:30', start: '2026-03-29T01:00', end: '2026-03-29T01:30' },
    { timezone: 'Europe/Prague', local: '2026-10-25T02:30', start: '2026-10-25T00:30', end: '2026-10-25T01:30' },
    // Far east and far west of it.
    { timezone: 'Pacific/Auckland', local: '2026-04-05T02:30', start: '2026-04-04T13:30', end: '2026-04-04T14:30' },
    { timezone: 'Pacific/Auckland', local: '2026-09-27T02:30', start: '2026-09-26T14:00', end: '2026-09-26T14:30' },
    { timezone: 'America/Adak', local: '2026-03-08T02:30', start: '2026-03-08T12:00', end: '2026-03-08T12:30' },
    // By half an hour, on a half hour of UTC.
    { timezone: 'Australia/Lord_Howe', local: '2026-10-04T02:15', start: '2026-10-03T15:30', end: '2026-10-03T15:45' },
    { timezone: 'Australia/Lord_Howe', local: '2026-04-05T01:45', start: '2026-04-04T14:45', end: '2026-04-04T15:15' },
    // At midnight.
    { timezone: 'America/Santiago', local: '2026-09-06T00:00', start: '2026-09-06T04:00', end: '2026-09-06T04:00' },
    { timezone: 'America/Santiago', local: '2026-09-06T00:30', start: '2026-09-06T04:00', end: '2026-09-06T04:30' },
    { timezone: 'America/Santiago', local: '2026-04-04T23:30', start: '2026-04-05T02:30', end: '2026-04-05T03:30' },
  ])('$local in $timezone is $start for a start and $end for an end', ({ timezone, local, start, end }) => {
    const digits = at(`${local}:00Z`);
    expect(iso(startInstant(timezone, digits))).toBe(`${start}:00.000Z`);
    expect(iso(endInstant(timezone, digits))).toBe(`${end}:00.000Z`);
  });
});

describe('the zone database', () => {
  const asked = jest.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
  const day = (index: number) => Date.UTC(2026, 0, 1 + index);
  beforeEach(() => asked.mockClear());
  afterAll(() => asked.mockRestore());

  test('is asked once for an instant, and twice for a calm day', () => {
    for (const hour of [1, 2, 3]) offsetAt('Asia/Tokyo', day(0) + hour * 3_600_000);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  test('is asked once for a quarter of an hour in which the clock changes', () => {
    offsetAt('Europe/Paris', at('2026-03-29T01:00:00Z'));
    expect(asked).toHaveBeenCalledTimes(3);
    offsetAt('Europe/Paris', at('2026-03-29T01:14:59Z'));
    expect(asked).toHaveBeenCalledTimes(3);
  });

  test('is asked again where it would take too much memory to remember everything', () => {
    const askedFor = (days: number) => {
      for (let index = 0; index < days; index += 1) offsetAt('Asia/Manila', day(index));
      return asked.mock.calls.length;
    };
    expect(askedFor(8_000)).toBe(8_001);
    expect(askedFor(8_000)).toBe(8_001);
    askedFor(8_400);
    const before = asked.mock.calls.length;
    expect(askedFor(10)).toBeGreaterThan(before);
  });
});

test.each([
  { written: 'asia/seoul', sent: 'Asia/Seoul' },
  { written: 'ASIA/SEOUL', sent: 'Asia/Seoul' },
  { written: 'America/argentina/buenos_aires', sent: 'America/Buenos_Aires' },
  { written: 'Asia/Seoul', sent: 'Asia/Seoul' },
  { written: 'UTC', sent: 'UTC' },
  // Both names are of one zone, and Scheduler knows both.
  { written: 'Asia/Kolkata', sent: 'Asia/Kolkata' },
  { written: 'Asia/Calcutta', sent: 'Asia/Calcutta' },
])('the time zone $written gets the letters that Scheduler knows', ({ written, sent }) => {
  expect(canonicalTimezone(written)).toBe(sent);
});
