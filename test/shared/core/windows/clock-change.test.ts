import { clockChangeOn } from '../../../../shared/core/windows/clock-change';
import { at, iso } from './sample-windows';

describe('the days around a clock change', () => {
  const none = undefined;
  test.each([
    { timezone: 'UTC', day: '2026-03-08', days: none },
    { timezone: 'Asia/Seoul', day: '2026-03-08', days: none },
    // At two in the night, an hour ahead and an hour back: what moves by it may come from the day before.
    { timezone: 'America/New_York', day: '2026-03-06', days: none },
    { timezone: 'America/New_York', day: '2026-03-07', days: ['2026-03-07', '2026-03-09'] },
    { timezone: 'America/New_York', day: '2026-03-08', days: ['2026-03-07', '2026-03-09'] },
    { timezone: 'America/New_York', day: '2026-03-09', days: none },
    { timezone: 'America/New_York', day: '2026-10-30', days: none },
    { timezone: 'America/New_York', day: '2026-10-31', days: ['2026-10-31', '2026-11-02'] },
    { timezone: 'America/New_York', day: '2026-11-01', days: ['2026-10-31', '2026-11-02'] },
    { timezone: 'America/New_York', day: '2026-11-02', days: none },
    // By half an hour: the day before is out of reach.
    { timezone: 'Australia/Lord_Howe', day: '2026-04-04', days: none },
    { timezone: 'Australia/Lord_Howe', day: '2026-04-05', days: ['2026-04-05', '2026-04-06'] },
    { timezone: 'Australia/Lord_Howe', day: '2026-04-06', days: none },
    // At midnight.
    { timezone: 'America/Santiago', day: '2026-09-04', days: none },
    { timezone: 'America/Santiago', day: '2026-09-05', days: ['2026-09-05', '2026-09-07'] },
    { timezone: 'America/Santiago', day: '2026-09-06', days: ['2026-09-05', '2026-09-07'] },
    { timezone: 'America/Santiago', day: '2026-09-07', days: none },
    // Samoa left out December 30, 2011.
    { timezone: 'Pacific/Apia', day: '2011-12-27', days: none },
    { timezone: 'Pacific/Apia', day: '2011-12-28', days: ['2011-12-28', '2012-01-02'] },
    { timezone: 'Pacific/Apia', day: '2012-01-01', days: ['2011-12-28', '2012-01-02'] },
    { timezone: 'Pacific/Apia', day: '2012-01-02', days: none },
  ])('$timezone $day: $days', ({ timezone, day, days }) => {
    const change = clockChangeOn(timezone, at(day));
    const found = change && [change.from, change.to].map((local) => iso(local)?.slice(0, 10));
    expect(found).toEqual(days);
  });
});

describe('what is known of a day', () => {
  const asked = jest.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
  const DAY = 86_400_000;
  afterAll(() => asked.mockRestore());

  test('is remembered, also that nothing happens on it', () => {
    for (const day of ['2026-03-29', '2026-07-01'])
      expect(clockChangeOn('Europe/Madrid', at(day))).toBe(clockChangeOn('Europe/Madrid', at(day)));
    const before = asked.mock.calls.length;
    expect(clockChangeOn('Europe/Madrid', at('2026-03-29'))).toBe(clockChangeOn('Europe/Madrid', at('2026-03-29')));
    clockChangeOn('Europe/Madrid', at('2026-07-01'));
    expect(asked.mock.calls.length).toBe(before);
  });

  test('is remembered for each time zone, and for a bounded number of days', () => {
    const change = clockChangeOn('Europe/Vienna', at('2026-03-29'));
    clockChangeOn('Europe/Rome', at('2026-03-29'));
    expect(clockChangeOn('Europe/Vienna', at('2026-03-29'))).toBe(change);
    for (let index = 0; index < 8_000; index += 1) clockChangeOn('Europe/Vienna', at('2027-01-01') + index * DAY);
    expect(clockChangeOn('Europe/Vienna', at('2026-03-29'))).toBe(change);
    for (let index = 8_000; index < 8_300; index += 1) clockChangeOn('Europe/Vienna', at('2027-01-01') + index * DAY);
    const again = clockChangeOn('Europe/Vienna', at('2026-03-29'));
    expect(again).toEqual(change);
    expect(again).not.toBe(change);
  });
});
