import fc from 'fast-check';
import { compileCron, MAX_EXPRESSIONS } from '../../../../shared/core/windows/aws-cron';
import { type CronFields, parseCron } from '../../../../shared/core/windows/cron';
import { awsCronTimes } from './aws-cron-evaluator';

jest.setTimeout(120_000);

const [DAY, MINUTE] = [86_400_000, 60_000];
/** Two leap days, several year ends. */
const [FROM, UNTIL] = [Date.UTC(2023, 10, 20), Date.UTC(2028, 3, 10)];

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

describe('laws', () => {
  const some = (first: number, last: number, most: number) =>
    fc.uniqueArray(fc.integer({ min: first, max: last }), { minLength: 1, maxLength: most }).map((v) => v.join(','));
  const edgeDates = fc.uniqueArray(fc.constantFrom(1, 2, 14, 27, 28, 29, 30, 31), { minLength: 1, maxLength: 4 });
  const cron = fc
    .tuple(
      fc.oneof(some(0, 59, 3), fc.constantFrom('0', '30', '*/15')),
      fc.oneof(some(0, 23, 3), fc.constantFrom('0', '*', '9-17', '*/6')),
      fc.oneof(
        { weight: 3, arbitrary: fc.constant('*') },
        fc.constantFrom('1-31', '28-31', '1-28', '*/2'),
        edgeDates.map((v) => v.join(',')),
        some(1, 31, 4),
      ),
      fc.oneof(
        { weight: 2, arbitrary: fc.constant('*') },
        fc.constantFrom('2', '3', '2-3', '6-8', '1'),
        some(1, 12, 4),
      ),
      fc.oneof({ weight: 2, arbitrary: fc.constant('*') }, fc.constantFrom('MON-FRI', '0-6', '7'), some(0, 7, 4)),
    )
    .map((fields) => fields.join(' '))
    .filter((text) => fires(text));
  const lead = fc.oneof(
    fc.constantFrom(0, 1, 5, 59, 60, 61, 1439, 1440, 1441),
    fc.integer({ min: 0, max: 180 }),
    fc.integer({ min: 0, max: 30 * 1440 }),
  );

  test('the expressions fire at exactly the times of the Unix expression, less the lead time', () => {
    let exact = 0;
    fc.assert(
      fc.property(cron, lead, (text, minutes) => {
        const compiled = compileCron(parseCron(text), minutes);
        if (compiled.kind === 'declined') return;
        exact += 1;
        expect(compiled.expressions.length).toBeLessThanOrEqual(MAX_EXPRESSIONS);
        const aws = compiled.expressions.flatMap((expression) => awsCronTimes(expression, FROM, UNTIL));
        expect(sorted(aws)).toEqual(sorted(unixTimesBefore(parseCron(text), minutes)));
      }),
      { seed: 20261127, numRuns: 200 },
    );
    expect(exact).toBeGreaterThan(100);
  });

  test('whatever keeps to its day compiles, however the fields are written', () => {
    fc.assert(
      fc.property(cron, (text) => {
        const compiled = compileCron(parseCron(text), 0);
        expect(compiled.kind).toBe('exact');
      }),
      { seed: 20261128, numRuns: 200 },
    );
  });

  test('without days or months nothing is ever declined', () => {
    fc.assert(
      fc.property(some(0, 59, 3), some(0, 23, 3), lead, (minute, hour, minutes) => {
        const compiled = compileCron(parseCron(`${minute} ${hour} * * *`), minutes);
        expect(compiled).toMatchObject({ kind: 'exact' });
      }),
      { seed: 20261129, numRuns: 200 },
    );
  });
});

/** Unix cron as its manual describes it, independently of the core. */
function unixTimesBefore(cron: CronFields, lead: number): number[] {
  const times: number[] = [];
  for (let day = FROM; day < UNTIL + 31 * DAY; day += DAY) {
    const at = new Date(day);
    const [inMonth, inWeek] = [cron.daysOfMonth.includes(at.getUTCDate()), cron.daysOfWeek.includes(at.getUTCDay())];
    const eitherWritten = !cron.anyDayOfMonth && !cron.anyDayOfWeek;
    if (!cron.months.includes(at.getUTCMonth() + 1) || !(eitherWritten ? inMonth || inWeek : inMonth && inWeek))
      continue;
    for (const hour of cron.hours)
      for (const minute of cron.minutes) times.push(day + (hour * 60 + minute - lead) * MINUTE);
  }
  return times.filter((time) => time >= FROM && time < UNTIL);
}

/** Unique: two expressions may fire at the same minute, which is harmless. */
function sorted(times: readonly number[]): string {
  return Array.from(new Set(times))
    .sort((a, b) => a - b)
    .join();
}

function fires(text: string): boolean {
  try {
    parseCron(text);
    return true;
  } catch {
    return false;
  }
}
