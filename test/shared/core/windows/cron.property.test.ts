import { CronExpressionParser } from 'cron-parser';
import fc from 'fast-check';
import { type CronFields, parseCron } from '../../../../shared/core/windows/cron';
import { CronError } from '../../../../shared/core/windows/cron-field';

describe('laws', () => {
  const value = (first: number, last: number) => fc.integer({ min: first, max: last });
  const item = (first: number, last: number) =>
    fc.oneof(
      fc.constant('*'),
      value(1, 70).map((step) => `*/${step}`),
      value(first, last).map(String),
      fc.tuple(value(first, last), value(first, last)).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
      fc
        .tuple(value(first, last), value(first, last), value(1, 9))
        .map(([a, b, step]) => `${Math.min(a, b)}-${Math.max(a, b)}/${step}`),
    );
  const RANGES = [
    [0, 59],
    [0, 23],
    [1, 31],
    [1, 12],
    [0, 7],
  ] as const;
  const field = (most: number) => (index: number) => {
    const [first, last] = RANGES[index] ?? [0, 0];
    return fc.array(item(first, last), { minLength: 1, maxLength: most }).map((items) => items.join(','));
  };
  const cron = (most: number) => fc.tuple(...[0, 1, 2, 3, 4].map(field(most))).map((fields) => fields.join(' '));

  test('cron-parser, another reader, finds the same times wherever it accepts the text', () => {
    let compared = 0;
    fc.assert(
      fc.property(cron(1), (text) => {
        const [ours, theirs] = [read(() => parseCron(text)), read(() => readByCronParser(text))];
        if (theirs === undefined) return;
        compared += 1;
        expect(ours).toMatchObject(theirs);
      }),
      { numRuns: 500, seed: 20261130 },
    );
    expect(compared).toBeGreaterThan(200);
  });

  test('what fires is read, however often a list repeats itself', () => {
    fc.assert(
      fc.property(cron(4), (text) => {
        const once = read(() => parseCron(text));
        const twice = text.replace(/\S+/g, (list) => `${list},${list}`);
        expect(read(() => parseCron(twice))).toEqual(once);
      }),
      { numRuns: 500, seed: 20261131 },
    );
  });

  test('the same text always gives the same answer: fields, or a CronError', () => {
    const characters = fc.constantFrom(...'0123456789*,-/ \tHLWhlw?#@()JANMONSUN');
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: characters }),
      cron(2).map((valid) => valid.replace(/\d/, 'H')),
    );
    fc.assert(
      fc.property(text, (expression) => {
        expect(outcome(expression)).toEqual(outcome(expression));
      }),
      { numRuns: 2_000, seed: 20261132 },
    );
  });
});

function readByCronParser(text: string): Partial<CronFields> {
  const { fields } = CronExpressionParser.parse(text);
  const numbers = (values: readonly (number | string)[]) => [...new Set(values.map(Number))].sort((a, b) => a - b);
  return {
    minutes: numbers(fields.minute.values),
    hours: numbers(fields.hour.values),
    months: numbers(fields.month.values),
    daysOfWeek: numbers(fields.dayOfWeek.values.map((day) => Number(day) % 7)),
    // cron-parser drops the days that the months do not have where a single month is named.
    ...(fields.month.values.length > 1 && { daysOfMonth: numbers(fields.dayOfMonth.values) }),
  };
}

function read<T>(reading: () => T): T | undefined {
  try {
    return reading();
  } catch {
    return undefined;
  }
}

function outcome(text: string): CronFields | string {
  try {
    return parseCron(text);
  } catch (error) {
    expect(error).toBeInstanceOf(CronError);
    return (error as CronError).message;
  }
}
