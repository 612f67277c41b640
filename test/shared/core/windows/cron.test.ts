import { parseCron } from '../../../../shared/core/windows/cron';
import { CronError } from '../../../../shared/core/windows/cron-field';

describe('parseCron', () => {
  test('reads names, ranges, steps and Sunday as 0 and 7', () => {
    expect(parseCron('*/20 8-10 * JAN,MAR MON-FRI')).toMatchObject({
      minutes: [0, 20, 40],
      hours: [8, 9, 10],
      months: [1, 3],
      daysOfWeek: [1, 2, 3, 4, 5],
      anyDayOfMonth: true,
      anyDayOfWeek: false,
    });
    expect(parseCron('0 0 * * 7').daysOfWeek).toEqual([0]);
    expect(parseCron('0 0 * * 5-7').daysOfWeek).toEqual([0, 5, 6]);
    expect(parseCron('0 0 * MAR,JUL wed,THU').daysOfWeek).toEqual([3, 4]);
    expect(parseCron('03 * * * *').minutes).toEqual([3]);
  });

  test.each([
    { text: '@daily', same: '0 0 * * *' },
    { text: '@midnight', same: '0 0 * * *' },
    { text: ' @Weekly ', same: '0 0 * * 0' },
    { text: '@monthly', same: '0 0 1 * *' },
    { text: '@yearly', same: '0 0 1 1 *' },
    { text: '@annually', same: '0 0 1 1 *' },
    { text: '@hourly', same: '0 * * * *' },
    { text: '0 \t 9 * * *', same: '0 9 * * *' },
    { text: '*/90 9 * * *', same: '0 9 * * *' },
    { text: '5/20 9 * * *', same: '5,25,45 9 * * *' },
    { text: '0 9 * * */7', same: '0 9 * * 0' },
    { text: '0 9 * * fri-7', same: '0 9 * * 0,5,6' },
    { text: '0 9 * * 0-7', same: '0 9 * * 0-6' },
    { text: '0 9 */1 * 5', same: '0 9 * * 5' },
  ])('$text is $same', ({ text, same }) => {
    expect(parseCron(text)).toEqual(parseCron(same));
  });

  test('reads the name of every month and every weekday', () => {
    const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
    for (const [index, name] of months.entries()) expect(parseCron(`0 9 * ${name} *`).months).toEqual([index + 1]);
    for (const [index, name] of ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'].entries())
      expect(parseCron(`0 9 * * ${name}`).daysOfWeek).toEqual([index]);
  });

  test.each([
    { name: 'a date that one of its months has', text: '0 0 30 2,3 *' },
    { name: 'a date that no month has beside a weekday', text: '0 0 31 2 MON' },
    { name: 'a text of the greatest length', text: `${'1,'.repeat(507)}1 * * * *`.padEnd(1_024) },
  ])('accepts $name', ({ text }) => {
    expect(parseCron(text).minutes.length).toBe(1);
  });

  test.each([
    { text: '0 0 * * FRI-SUN', says: 'has "FRI-SUN" in the day of week, which runs backwards; write 5-6,0' },
    { text: '0 23-0 * * *', says: 'has "23-0" in the hour, which runs backwards; write 23,0' },
    { text: '0 0 * * SAT-MON', says: 'has "SAT-MON" in the day of week, which runs backwards; write 6,0-1' },
  ])('refuses $text and says exactly what to write', ({ text, says }) => {
    const refused = thrownBy(() => parseCron(text));
    expect([refused.name, refused.message]).toEqual(['CronError', says]);
  });

  test.each([
    { length: 30, shown: 'x'.repeat(30) },
    { length: 31, shown: `${'x'.repeat(30)}...` },
  ])('quotes $length characters of what it refuses as $shown', ({ length, shown }) => {
    expect(thrownBy(() => parseCron(`${'x'.repeat(length)} 9 * * *`)).message).toContain(
      `has "${shown}" in the minute`,
    );
  });

  describe('accepts repeated values in lists, as Unix cron and KEDA do', () => {
    test.each([
      { text: '57,41 20 11,11 * *', same: '41,57 20 11 * *' },
      { text: '0 9 * * 0,7', same: '0 9 * * 0' },
      { text: '*/15,0 9 * * *', same: '*/15 9 * * *' },
      { text: '1-5,3 9 * * *', same: '1-5 9 * * *' },
      { text: '0 9 * 1,JAN mon,1', same: '0 9 * 1 1' },
      { text: '0 9 *,1 * 5', same: '0 9 * * 5' },
      { text: '0 9 1,* * 5', same: '0 9 * * 5' },
    ])('$text is $same', ({ text, same }) => {
      expect(parseCron(text)).toEqual(parseCron(same));
    });
  });

  const minute = 'write minutes 0-59, or *, in lists, ranges and steps such as 1,3 or 1-5 or */2';
  const dayOfMonth = 'write days 1-31, or *, in lists, ranges and steps such as 1,3 or 1-5 or */2';
  const dayOfWeek =
    'write days 0-7 (0 and 7 are Sunday) or SUN-SAT, or *, in lists, ranges and steps such as 1,3 or 1-5 or */2';
  const five = 'write five fields: minute hour day-of-month month day-of-week, such as "30 11 * * MON-FRI"';
  test.each([
    { name: 'nothing', text: '', says: `has no fields; ${five}` },
    { name: 'one field', text: '9', says: `has 1 field; ${five}` },
    { name: 'four fields', text: '0 0 * *', says: `has 4 fields; ${five}` },
    { name: 'six fields', text: '0 0 0 * * *', says: `has 6 fields; ${five}` },
    { name: 'a minute out of range', text: '60 0 * * *', says: `has "60" in the minute; ${minute}` },
    { name: 'day 0', text: '0 0 0 * *', says: `has "0" in the day of month; ${dayOfMonth}` },
    { name: 'weekday 8', text: '0 0 * * 8', says: `has "8" in the day of week; ${dayOfWeek}` },
    {
      name: 'a month by the name of a weekday',
      text: '0 0 * MON *',
      says: 'has "MON" in the month; write months 1-12 or JAN-DEC',
    },
    { name: 'a whole word', text: '0 0 * * MONDAY', says: `has "MONDAY" in the day of week; ${dayOfWeek}` },
    { name: 'the question mark of AWS', text: '0 0 ? * MON', says: `has "?" in the day of month; ${dayOfMonth}` },
    { name: 'the hash of Quartz', text: '0 0 * * 2#1', says: `has "2#1" in the day of week; ${dayOfWeek}` },
    { name: 'the L of Quartz', text: '0 0 L * *', says: `has "L" in the day of month; ${dayOfMonth}` },
    {
      name: 'the nearest weekday of Quartz',
      text: '0 0 15W * *',
      says: `has "15W" in the day of month; ${dayOfMonth}`,
    },
    { name: 'the last weekday of Quartz', text: '0 0 LW * *', says: `has "LW" in the day of month; ${dayOfMonth}` },
    { name: 'the last Friday of Quartz', text: '0 0 * * FRIL', says: `has "FRIL" in the day of week; ${dayOfWeek}` },
    { name: 'the H of Jenkins', text: 'H 9 * * *', says: `has "H" in the minute; ${minute}` },
    { name: 'the H of Jenkins with a step', text: 'H/30 9 * * *', says: `has "H/30" in the minute; ${minute}` },
    {
      name: 'the H of Jenkins within a range',
      text: 'H(0-30) 9 * * *',
      says: `has "H(0-30)" in the minute; ${minute}`,
    },
    { name: 'the H of Jenkins as the hour', text: '0 H/3 * * *', says: 'has "H/3" in the hour; write hours 0-23' },
    { name: 'the H of Jenkins in lower case', text: 'h 9 * * *', says: `has "h" in the minute; ${minute}` },
    { name: 'the H of Jenkins twice', text: 'HH 9 * * *', says: `has "HH" in the minute; ${minute}` },
    { name: 'the H of Jenkins in a list', text: '1,H,5 9 * * *', says: `has "H" in the minute; ${minute}` },
    { name: 'an empty list value', text: '1,,5 9 * * *', says: `has "1,,5" in the minute; ${minute}` },
    { name: 'a range without its end', text: '1- 9 * * *', says: `has "1-" in the minute; ${minute}` },
    { name: 'a range of three', text: '1-2-3 9 * * *', says: `has "1-2-3" in the minute; ${minute}` },
    { name: 'a negative number', text: '-5 9 * * *', says: `has "-5" in the minute; ${minute}` },
    { name: 'a step of 0', text: '*/0 9 * * *', says: `has "*/0" in the minute; ${minute}` },
    { name: 'a step of a step', text: '*/5/5 9 * * *', says: `has "*/5/5" in the minute; ${minute}` },
    { name: 'a digit of another script', text: '٣ 9 * * *', says: `has "٣" in the minute; ${minute}` },
    {
      name: 'a range that runs backwards',
      text: '0 22-2 * * *',
      says: 'has "22-2" in the hour, which runs backwards; write 22-23,0-2',
    },
    {
      name: 'a range over Sunday',
      text: '0 0 * * FRI-SUN',
      says: 'has "FRI-SUN" in the day of week, which runs backwards; write 5-6,0',
    },
    {
      name: 'a day that no month has',
      text: '0 0 31 2 *',
      says: 'never fires: no month that it names has such a day; write a day that the month has',
    },
    {
      name: 'days that no month has',
      text: '0 0 31 2,4 *',
      says: 'never fires: no month that it names has such a day',
    },
    { name: 'words', text: 'every day at eight o clock', says: `has 6 fields; ${five}` },
    { name: 'five words', text: 'every day at eight o', says: `has "every" in the minute; ${minute}` },
    {
      name: 'an unknown macro',
      text: '@reboot',
      says: 'has the macro "@reboot"; write five fields, or @yearly, @annually, @monthly, @weekly, @daily, @midnight or @hourly',
    },
    { name: 'a macro of cron-parser alone', text: '@secondly', says: 'has the macro "@secondly"' },
    { name: 'the name of something that every object has', text: 'constructor', says: `has 1 field; ${five}` },
    {
      name: 'a text longer than any cron',
      text: `${'1,'.repeat(600)}1 9 * * *`,
      says: 'has 1209 characters; write at most 1024',
    },
  ])('refuses $name and says where, what and what to write', ({ text, says }) => {
    expect(() => parseCron(text)).toThrow(CronError);
    expect(() => parseCron(text)).toThrow(says);
  });
});

function thrownBy(reading: () => unknown): Error {
  try {
    reading();
  } catch (error) {
    if (error instanceof CronError) return error;
  }
  throw new Error('was read');
}
