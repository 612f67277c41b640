import { compileCron } from '../../../../shared/core/windows/aws-cron';
import { parseCron } from '../../../../shared/core/windows/cron';

const DAY = 1_440;

describe('days without a lead', () => {
  test.each([
    { cron: '* * * * *', aws: ['* * * * ? *'] },
    { cron: '0 9 * 6-8 *', aws: ['0 9 * 6-8 ? *'] },
    { cron: '0 9 * 1,3,6-8 *', aws: ['0 9 * 1,3,6-8 ? *'] },
    { cron: '0 9 * 1-12 *', aws: ['0 9 * * ? *'] },
    { cron: '0 9 1,15 6-8 *', aws: ['0 9 1,15 6-8 ? *'] },
    { cron: '0 9 1,3,5,6,7 * *', aws: ['0 9 1,3,5-7 * ? *'] },
    { cron: '15 3 28-31 * *', aws: ['15 3 28-31 * ? *'] },
    { cron: '0 9 29 2 *', aws: ['0 9 29 2 ? *'] },
    { cron: '0 9 31 * *', aws: ['0 9 31 * ? *'] },
    { cron: '0 9 5 6 0-6', aws: ['0 9 * 6 ? *'] },
    { cron: '0 9 * * 1,3,5', aws: ['0 9 ? * MON,WED,FRI *'] },
    { cron: '0 9 * * 0,6', aws: ['0 9 ? * SUN,SAT *'] },
    { cron: '0 9 * * TUE,THU', aws: ['0 9 ? * TUE,THU *'] },
    { cron: '0 9 * 6-8 MON', aws: ['0 9 ? 6-8 MON *'] },
    { cron: '0 9 1 6-8 MON', aws: ['0 9 1 6-8 ? *', '0 9 ? 6-8 MON *'] },
  ])('$cron is $aws', ({ cron, aws }) => {
    expect(compiled(cron, 0)).toEqual(aws);
  });
});

describe('a day field that names every day lifts the other', () => {
  test.each(['0 9 1-31 * MON', '0 9 5 * 0-6', '0 9 1-31 * 0-6', '0 9 1-31 * *', '0 9 * * 0-6'])('%s', (cron) => {
    for (const lead of [0, DAY, 40 * DAY]) expect(compiled(cron, lead)).toEqual(['0 9 * * ? *']);
  });
});

describe('weekdays move by the days of the lead', () => {
  test.each([
    { name: 'one day, over the start of the week', cron: '0 9 * * 0,6', days: 1, aws: ['0 9 ? * FRI,SAT *'] },
    { name: 'a whole week', cron: '0 9 * * MON-WED', days: 7, aws: ['0 9 ? * MON-WED *'] },
    { name: 'more than a week', cron: '0 9 * * MON-FRI', days: 10, aws: ['0 9 ? * SUN-TUE,FRI,SAT *'] },
    { name: 'more than a month', cron: '0 9 * * TUE', days: 36, aws: ['0 9 ? * MON *'] },
    { name: 'beside dates', cron: '0 9 10 * SUN', days: 1, aws: ['0 9 9 * ? *', '0 9 ? * SAT *'] },
  ])('$name', ({ cron, days, aws }) => {
    expect(compiled(cron, days * DAY)).toEqual(aws);
  });
});

describe('dates move by the days of the lead', () => {
  test.each([
    { name: 'within each month', cron: '0 9 2 * *', days: 1, aws: ['0 9 1 * ? *'] },
    { name: 'to the last day of each month', cron: '0 9 2 * *', days: 2, aws: ['0 9 L * ? *'] },
    { name: 'within February', cron: '0 9 28 2 *', days: 1, aws: ['0 9 27 2 ? *'] },
    { name: 'within March', cron: '0 9 29 3 *', days: 28, aws: ['0 9 1 3 ? *'] },
    { name: 'into the year before', cron: '0 9 1 1 *', days: 28, aws: ['0 9 4 12 ? *'] },
    { name: 'to days that few months have', cron: '0 9 31 * *', days: 1, aws: ['0 9 30 1,3,5,7,8,10,12 ? *'] },
    { name: 'to the last days of some months', cron: '0 9 1 1,3,5 *', days: 1, aws: ['0 9 L 2,4,12 ? *'] },
    { name: 'a week of them', cron: '0 9 1-7 * *', days: 1, aws: ['0 9 L * ? *', '0 9 1-6 * ? *'] },
    { name: 'two of a month', cron: '0 9 1,16 * *', days: 1, aws: ['0 9 L * ? *', '0 9 15 * ? *'] },
    { name: 'two of January', cron: '0 9 1,3 1 *', days: 1, aws: ['0 9 2 1 ? *', '0 9 31 12 ? *'] },
    { name: 'the first days of March', cron: '0 9 1,2,3 3 *', days: 1, aws: ['0 9 L 2 ? *', '0 9 1,2 3 ? *'] },
    { name: 'all of January', cron: '0 9 * 1 *', days: 1, aws: ['0 9 1-30 1 ? *', '0 9 31 12 ? *'] },
    { name: 'all of March', cron: '0 9 * 3 *', days: 1, aws: ['0 9 L 2 ? *', '0 9 1-30 3 ? *'] },
    { name: 'all of December', cron: '0 9 * 12 *', days: 1, aws: ['0 9 1-30 12 ? *', '0 9 30 11 ? *'] },
    {
      name: 'all of some months, of which one stays whole',
      cron: '0 9 * 4,10,11 *',
      days: 1,
      aws: ['0 9 L 3,9 ? *', '0 9 * 10 ? *', '0 9 1-29 4,11 ? *'],
    },
    {
      name: 'to numbers that do no harm beyond the end of a month',
      cron: '0 9 1,31 * *',
      days: 1,
      aws: ['0 9 L 2 ? *', '0 9 30,31 1,3-12 ? *'],
    },
    {
      name: 'to every day of the months that they fill',
      cron: '0 9 1-30 * *',
      days: 1,
      aws: ['0 9 1-29,31 1-3,5,7,8,10,12 ? *', '0 9 * 4,6,9,11 ? *'],
    },
  ])('$name', ({ cron, days, aws }) => {
    expect(compiled(cron, days * DAY)).toEqual(aws);
  });
});

describe('a lead of days is declined', () => {
  const february = 'the lead time moves it across the end of February, which leap years move too';
  const months = 'the lead time moves weekdays of some months into another month';
  test.each([
    { name: 'where it crosses February', cron: '0 9 1 1 *', days: 29, why: 'the lead time is longer than 28 days' },
    { name: 'where only leap years have the day', cron: '0 9 29 2 *', days: 1, why: february },
    { name: 'where leap years have one more of the days', cron: '0 9 28,29 2 *', days: 1, why: february },
    { name: 'where one month has a date in February', cron: '0 9 29 * *', days: 1, why: february },
    { name: 'where it leads to the day before the last of February', cron: '0 9 3 3 *', days: 4, why: february },
    {
      name: 'where leap years have other days before the last of February',
      cron: '0 9 1,3 3 *',
      days: 3,
      why: february,
    },
    { name: 'where weekdays of some months move', cron: '0 9 * 6-8 MON', days: 1, why: months },
    { name: 'where weekdays move beside dates', cron: '0 9 10 6-8 MON', days: 1, why: months },
    { name: 'where dates move beside weekdays', cron: '0 9 29 * MON', days: 1, why: february },
  ])('$name', ({ cron, days, why }) => {
    expect(compileCron(parseCron(cron), days * DAY)).toEqual({ kind: 'declined', why });
  });
});

describe('times move by the minutes of the lead', () => {
  test.each([
    { name: 'every minute stays so', cron: '* * * * *', lead: 7, aws: ['* * * * ? *'] },
    { name: 'every hour stays so', cron: '0 * * * *', lead: 5, aws: ['55 * * * ? *'] },
    { name: 'an hour and more', cron: '0 9 1 * *', lead: 61, aws: ['59 7 1 * ? *'] },
    { name: 'to midnight itself', cron: '30 1 * * MON', lead: 90, aws: ['0 0 ? * MON *'] },
    { name: 'to a minute before midnight', cron: '30 1 * * MON', lead: 91, aws: ['59 23 ? * SUN *'] },
    { name: 'some hours over midnight', cron: '30 0,1 * * *', lead: 90, aws: ['0 0,23 * * ? *'] },
    { name: 'many hours over midnight', cron: '10 0-3 * * *', lead: 70, aws: ['0 0-2,23 * * ? *'] },
    {
      name: 'some minutes over the hour',
      cron: '0,20,40 9 * * *',
      lead: 30,
      aws: ['10 9 * * ? *', '30,50 8 * * ? *'],
    },
    {
      name: 'four expressions',
      cron: '0,30 9 1 * MON',
      lead: 10,
      aws: ['20 9 1 * ? *', '50 8 1 * ? *', '20 9 ? * MON *', '50 8 ? * MON *'],
    },
  ])('$name', ({ cron, lead, aws }) => {
    expect(compiled(cron, lead)).toEqual(aws);
  });
});

/** The six fields of each expression, or why there are none. */
function compiled(cron: string, lead: number): readonly string[] | string {
  const result = compileCron(parseCron(cron), lead);
  return result.kind === 'exact' ? result.expressions.map((text) => text.slice('cron('.length, -1)) : result.why;
}
