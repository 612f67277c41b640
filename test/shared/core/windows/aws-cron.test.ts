import { compileCron } from '../../../../shared/core/windows/aws-cron';
import { parseCron } from '../../../../shared/core/windows/cron';

describe('a Unix expression as AWS cron', () => {
  test.each([
    { name: 'no lead', cron: '30 11 * * MON-FRI', lead: 0, aws: 'cron(30 11 ? * MON-FRI *)' },
    { name: 'a lead within the hour', cron: '30 11 * * MON-FRI', lead: 5, aws: 'cron(25 11 ? * MON-FRI *)' },
    { name: 'a lead into the hour before', cron: '3 11 * * *', lead: 5, aws: 'cron(58 10 * * ? *)' },
    { name: 'every quarter of an hour', cron: '*/15 * * * *', lead: 5, aws: 'cron(10,25,40,55 * * * ? *)' },
    { name: 'Sunday by its number', cron: '0 9 * * 7', lead: 0, aws: 'cron(0 9 ? * SUN *)' },
    { name: 'dates of some months', cron: '0 9 1,15 6-8 *', lead: 0, aws: 'cron(0 9 1,15 6-8 ? *)' },
    { name: 'a lead into the day before fires daily', cron: '0 0 * * MON-FRI', lead: 5, aws: 'cron(55 23 * * ? *)' },
    { name: 'a lead into the year before fires daily', cron: '@yearly', lead: 90, aws: 'cron(30 22 * * ? *)' },
    { name: 'a lead of days fires daily', cron: '0 9 * * MON', lead: 3 * 1440, aws: 'cron(0 9 * * ? *)' },
    { name: 'both day fields mean either, so daily', cron: '0 9 1 * MON', lead: 0, aws: 'cron(0 9 * * ? *)' },
    { name: 'a few times too many', cron: '0,30 9-17 * * *', lead: 10, aws: 'cron(20,50 8-17 * * ? *)' },
  ])('$name', ({ cron, lead, aws }) => {
    expect(compileCron(parseCron(cron), lead)).toEqual({ kind: 'compiled', expression: aws });
  });

  test.each([
    {
      name: 'many times whose days cannot be named',
      cron: '*/5 0-3 * * MON',
      lead: 5,
      why: 'AWS cron would fire 60 times too often on some days, more than 12',
    },
    {
      name: 'times that share little',
      cron: '0-55 9,17 * * *',
      lead: 30,
      why: 'AWS cron would fire 112 times too often on some days, more than 12',
    },
  ])('$name are declined', ({ cron, lead, why }) => {
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
  expect(compiled.kind === 'compiled' && compiled.expression.length).toBeLessThanOrEqual(256);
});
