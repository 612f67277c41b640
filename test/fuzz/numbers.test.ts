import { formatDuration, parseDuration } from '../../shared/core/basics/duration';
import { parseQuantity, sameQuantity } from '../../shared/core/config/schema/quantity';
import { fuzz, RUNS, textOf } from './fuzz';

test('any text is a duration of 0 seconds or more, or none', () => {
  let read = 0;
  fuzz(textOf([...'0123456789', 'd', 'h', 'm', 's', '9999999999', ' ', '-', '.', 'e']), (text) => {
    const seconds = parseDuration(text);
    if (seconds === undefined) return;
    read += 1;
    expect(seconds).toBeGreaterThanOrEqual(0);
    if (Number.isSafeInteger(seconds)) expect(parseDuration(formatDuration(seconds))).toBe(seconds);
  });
  expect(read).toBeGreaterThan(RUNS / 200);
});

test('any text is a finite quantity, or none', () => {
  let read = 0;
  fuzz(textOf([...'0123456789.+-', 'n', 'u', 'm', 'k', 'M', 'Gi', 'Ei', 'e', 'E', 'e9', '999', ' ']), (text) => {
    const value = parseQuantity(text);
    if (value === undefined) return;
    read += 1;
    expect(Number.isFinite(value)).toBe(true);
    expect(sameQuantity(text, text)).toBe(true);
  });
  expect(read).toBeGreaterThan(RUNS / 50);
});
