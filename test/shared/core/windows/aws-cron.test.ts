import { compileCron, MAX_EXPRESSIONS } from '../../../../shared/core/windows/aws-cron';
import { parseCron } from '../../../../shared/core/windows/cron';

describe('one expression says it', () => {
  test.each([
    { name: 'no lead', cron: '30 11 * * MON-FRI', lead: 0, aws: ['cron(30 11 ? * MON-FRI *)'] },
    { name: 'a lead within the hour', cron: '30 11 * * MON-FRI', lead: 5, aws: ['cron(25 11 ? * MON-FRI *)'] },
    { name: 'a lead into the hour before', cron: '3 11 * * *', lead: 5, aws: ['cron(58 10 * * ? *)'] },
    { name: 'a lead into the day before', cron: '0 0 * * MON-FRI', lead: 5, aws: ['cron(55 23 ? * SUN-THU *)'] },
    { name: 'a lead into the month before', cron: '0 0 1 * *', lead: 5, aws: ['cron(55 23 L * ? *)'] },
    { name: 'a lead into the last day of February', cron: '0 0 1 3 *', lead: 5, aws: ['cron(55 23 L 2 ? *)'] },
    { name: 'a lead into the year before', cron: '@yearly', lead: 90, aws: ['cron(30 22 31 12 ? *)'] },
    { name: 'every quarter of an hour', cron: '*/15 * * * *', lead: 5, aws: ['cron(10,25,40,55 * * * ? *)'] },
    { name: 'Sunday by its number', cron: '0 9 * * 7', lead: 0, aws: ['cron(0 9 ? * SUN *)'] },
    { name: 'a day that few months have', cron: '0 0 31 * *', lead: 1, aws: ['cron(59 23 30 1,3,5,7,8,10,12 ? *)'] },
    { name: 'a lead of days', cron: '0 9 * * MON', lead: 3 * 1440, aws: ['cron(0 9 ? * FRI *)'] },
  ])('$name', ({ cron, lead, aws }) => {
    expect(compileCron(parseCron(cron), lead)).toEqual({ kind: 'exact', expressions: aws });
  });
});

describe('several expressions say it together', () => {
  test.each([
    {
      name: 'both day fields mean either',
      cron: '0 9 1 * MON',
      lead: 0,
      aws: ['cron(0 9 1 * ? *)', 'cron(0 9 ? * MON *)'],
    },
    {
      name: 'some minutes borrow an hour',
      cron: '0,30 9-17 * * *',
      lead: 10,
      aws: ['cron(20 9-17 * * ? *)', 'cron(50 8-16 * * ? *)'],
    },
    {
      name: 'one of two dates moves into the month before',
      cron: '0 0 1,15 * *',
      lead: 5,
      aws: ['cron(55 23 L * ? *)', 'cron(55 23 14 * ? *)'],
    },
    {
      name: 'a season begins a day earlier and ends a day earlier',
      cron: '0 0 * 6-8 *',
      lead: 5,
      aws: ['cron(55 23 * 6,7 ? *)', 'cron(55 23 1-30 8 ? *)', 'cron(55 23 31 5 ? *)'],
    },
  ])('$name', ({ cron, lead, aws }) => {
    expect(compileCron(parseCron(cron), lead)).toEqual({ kind: 'exact', expressions: aws });
  });
});

describe('what AWS cron cannot say is declined', () => {
  const february = 'the lead time moves it across the end of February, which leap years move too';
  test.each([
    { name: 'the day before February 29', cron: '0 0 29 2 *', lead: 5, why: february },
    { name: 'two days before March 1', cron: '0 0 1 3 *', lead: 2880, why: february },
    { name: 'all of February, a day earlier', cron: '0 0 * 2 *', lead: 5, why: february },
    {
      name: 'the day before a Monday of January',
      cron: '0 0 * 1 MON',
      lead: 5,
      why: 'the lead time moves weekdays of some months into another month',
    },
    {
      name: 'too many expressions',
      cron: '0,30 0,12 1 * MON',
      lead: 5,
      why: `it takes 6 AWS cron expressions, more than ${MAX_EXPRESSIONS}`,
    },
  ])('$name', ({ cron, lead, why }) => {
    expect(compileCron(parseCron(cron), lead)).toEqual({ kind: 'declined', why });
  });
});

test('the longest expression is within what EventBridge Scheduler takes', () => {
  const twoOfThree = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index)
      .filter((value) => value % 3 !== 2)
      .join(',');
  const fields = [twoOfThree(0, 59), twoOfThree(0, 23), twoOfThree(1, 31), twoOfThree(1, 12), '*'];
  const compiled = compileCron(parseCron(fields.join(' ')));
  expect(compiled.kind === 'exact' && compiled.expressions[0]?.length).toBeLessThanOrEqual(256);
});
