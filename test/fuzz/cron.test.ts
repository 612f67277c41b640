import fc from 'fast-check';
import { type CronFields, parseCron } from '../../shared/core/windows/cron';
import { CronError } from '../../shared/core/windows/cron-field';
import { fuzz, RUNS, textOf } from './fuzz';

const PIECES = [...'0123456789*,-/ \t?#LWH@', 'MON', 'sun', 'JAN', 'dec', '*/15', '1-5', '@daily', '@reboot', ' * * *'];
const field = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 4 })
  .map((pieces) => pieces.join('').replace(/\s/g, ''));
const fiveFields = fc.array(field, { minLength: 5, maxLength: 5 }).map((fields) => fields.join(' '));
const mostlyValid = fc
  .array(fc.oneof({ weight: 8, arbitrary: fc.constantFrom('*', '0', '*/5', '1-5', '1,3', '7', '11') }, field), {
    minLength: 5,
    maxLength: 5,
  })
  .map((fields) => fields.join(' '));
const long = fc
  .tuple(fc.constantFrom(...PIECES), fc.integer({ min: 1, max: 100_000 }))
  .map(([piece, times]) => piece.repeat(times));

const RANGES: readonly (readonly [Exclude<keyof CronFields, 'anyDayOfMonth' | 'anyDayOfWeek'>, number, number])[] = [
  ['minutes', 0, 59],
  ['hours', 0, 23],
  ['daysOfMonth', 1, 31],
  ['months', 1, 12],
  ['daysOfWeek', 0, 6],
];

test('any text is a cron expression within its ranges, or a CronError', () => {
  let read = 0;
  fuzz(fc.oneof({ weight: 3, arbitrary: mostlyValid }, fiveFields, textOf(PIECES), long), (text) => {
    try {
      const cron = parseCron(text);
      read += 1;
      for (const [key, first, last] of RANGES) {
        const values = cron[key];
        expect(values.length).toBeGreaterThan(0);
        expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
        expect(values.every((value) => Number.isInteger(value) && value >= first && value <= last)).toBe(true);
      }
    } catch (error) {
      expect(error).toBeInstanceOf(CronError);
      expect((error as CronError).message.length).toBeLessThan(300);
    }
  });
  expect(read).toBeGreaterThan(RUNS / 20);
});
