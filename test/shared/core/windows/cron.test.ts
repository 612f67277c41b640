import { parseCron } from '../../../../shared/core/windows/cron';
import { CronError } from '../../../../shared/core/windows/cron-field';
import { golden } from '../../../golden/golden';

const said = golden(`${__dirname}/cron.txt`);

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

  // What is said is in cron.txt.
  test.each([
    { name: 'nothing', text: '' },
    { name: 'one field', text: '9' },
    { name: 'four fields', text: '0 0 * *' },
    { name: 'six fields', text: '0 0 0 * * *' },
    { name: 'a minute out of range', text: '60 0 * * *' },
    { name: 'day 0', text: '0 0 0 * *' },
    { name: 'weekday 8', text: '0 0 * * 8' },
    { name: 'a month by the name of a weekday', text: '0 0 * MON *' },
    { name: 'a whole word', text: '0 0 * * MONDAY' },
    { name: 'the question mark of AWS', text: '0 0 ? * MON' },
    { name: 'the hash of Quartz', text: '0 0 * * 2#1' },
    { name: 'the L of Quartz', text: '0 0 L * *' },
    { name: 'the nearest weekday of Quartz', text: '0 0 15W * *' },
    { name: 'the last weekday of Quartz', text: '0 0 LW * *' },
    { name: 'the last Friday of Quartz', text: '0 0 * * FRIL' },
    { name: 'the H of Jenkins', text: 'H 9 * * *' },
    { name: 'the H of Jenkins with a step', text: 'H/30 9 * * *' },
    { name: 'the H of Jenkins within a range', text: 'H(0-30) 9 * * *' },
    { name: 'the H of Jenkins as the hour', text: '0 H/3 * * *' },
    { name: 'the H of Jenkins in lower case', text: 'h 9 * * *' },
    { name: 'the H of Jenkins twice', text: 'HH 9 * * *' },
    { name: 'the H of Jenkins in a list', text: '1,H,5 9 * * *' },
    { name: 'an empty list value', text: '1,,5 9 * * *' },
    { name: 'a range without its end', text: '1- 9 * * *' },
    { name: 'a range of three', text: '1-2-3 9 * * *' },
    { name: 'a negative number', text: '-5 9 * * *' },
    { name: 'a step of 0', text: '*/0 9 * * *' },
    { name: 'a step of a step', text: '*/5/5 9 * * *' },
    { name: 'a digit of another script', text: '٣ 9 * * *' },
    { name: 'a range that runs backwards', text: '0 22-2 * * *' },
    { name: 'a range over Sunday', text: '0 0 * * FRI-SUN' },
    { name: 'a day that no month has', text: '0 0 31 2 *' },
    { name: 'days that no month has', text: '0 0 31 2,4 *' },
    { name: 'words', text: 'every day at eight o clock' },
    { name: 'five words', text: 'every day at eight o' },
    { name: 'an unknown macro', text: '@reboot' },
    { name: 'a macro of cron-parser alone', text: '@secondly' },
    { name: 'the name of something that every object has', text: 'constructor' },
    { name: 'a text longer than any cron', text: `${'1,'.repeat(600)}1 9 * * *` },
    { name: 'a range from the last hour to the first', text: '0 23-0 * * *' },
    { name: 'a range from Saturday to Monday', text: '0 0 * * SAT-MON' },
  ])('refuses $name and says where, what and what to write', ({ name, text }) => {
    const { name: kind, message } = thrownBy(() => parseCron(text));
    expect(kind).toBe('CronError');
    said(name, message);
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
