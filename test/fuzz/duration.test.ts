import { formatDuration, parseDuration } from '../../shared/core/basics/duration';
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
