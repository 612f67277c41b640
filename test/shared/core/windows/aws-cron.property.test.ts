import fc from 'fast-check';
import { compileCron, MAX_EXTRA } from '../../../../shared/core/windows/aws-cron';
import { type CronFields, parseCron } from '../../../../shared/core/windows/cron';
import { awsCronTimes } from './aws-cron-evaluator';

jest.setTimeout(120_000);

const [DAY, MINUTE] = [86_400_000, 60_000];
/** Two leap days, several year ends. */
const [FROM, UNTIL] = [Date.UTC(2023, 10, 20), Date.UTC(2028, 3, 10)];

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

  test('the expression fires at every time of the Unix expression, less the lead time, and seldom at others', () => {
    let [compiledOnes, exact] = [0, 0];
    fc.assert(
      fc.property(cron, lead, (text, minutes) => {
        const compiled = compileCron(parseCron(text), minutes);
        if (compiled.kind === 'declined') return;
        compiledOnes += 1;
        const fired = new Set(awsCronTimes(compiled.expression, FROM, UNTIL));
        const wanted = new Set(unixTimesBefore(parseCron(text), minutes));
        expect([...wanted].filter((time) => !fired.has(time))).toEqual([]);
        const extra = [...fired].filter((time) => !wanted.has(time));
        if (extra.length === 0) exact += 1;
        const aDay = new Map<number, number>();
        for (const time of extra) aDay.set(Math.floor(time / DAY), (aDay.get(Math.floor(time / DAY)) ?? 0) + 1);
        expect(Math.max(0, ...aDay.values())).toBeLessThanOrEqual(MAX_EXTRA);
      }),
      { seed: 20261127, numRuns: 200 },
    );
    expect(compiledOnes).toBeGreaterThan(100);
    expect(exact).toBeGreaterThan(20);
  });

  test('whatever keeps to its day and names its days by one field compiles', () => {
    fc.assert(
      fc.property(cron, (text) => {
        const fields = parseCron(text);
        fc.pre(fields.anyDayOfMonth || fields.anyDayOfWeek);
        expect(compileCron(fields, 0)).toMatchObject({ kind: 'compiled' });
      }),
      { seed: 20261128, numRuns: 200 },
    );
  });

  test('without days or months nothing is ever declined', () => {
    fc.assert(
      fc.property(some(0, 59, 3), some(0, 23, 3), lead, (minute, hour, minutes) => {
        const compiled = compileCron(parseCron(`${minute} ${hour} * * *`), minutes);
        expect(compiled).toMatchObject({ kind: 'compiled' });
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

function fires(text: string): boolean {
  try {
    parseCron(text);
    return true;
  } catch {
    return false;
  }
}
