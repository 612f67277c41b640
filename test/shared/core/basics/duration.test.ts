import fc from 'fast-check';
import { formatDuration, parseDuration } from '../../../../shared/core/basics/duration';
import { parseQuantity, sameQuantity } from '../../../../shared/core/config/schema/quantity';

describe('durations', () => {
  test.each([
    { text: '90s', seconds: 90 },
    { text: '5m', seconds: 300 },
    { text: '1h30m', seconds: 5_400 },
    { text: '7d', seconds: 604_800 },
    { text: '', seconds: undefined },
    { text: '5', seconds: undefined },
    { text: '30m1h', seconds: undefined },
    { text: '5 minutes', seconds: undefined },
  ])('$text is $seconds seconds', ({ text, seconds }) => {
    expect(parseDuration(text)).toBe(seconds);
  });

  test('what is written is read back', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 10_000_000 }), (n) => parseDuration(formatDuration(n)) === n));
  });
});

describe('quantities', () => {
  test.each([
    { text: '500m', value: 0.5 },
    { text: '2', value: 2 },
    { text: '4Gi', value: 4 * 2 ** 30 },
    { text: '1e3', value: 1_000 },
    { text: '1.5G', value: 1.5e9 },
    { text: 'lots', value: undefined },
    { text: '0e999', value: undefined },
    { text: '1e999', value: undefined },
    { text: '4 Gi', value: undefined },
  ])('$text is $value', ({ text, value }) => {
    expect(parseQuantity(text)).toBe(value);
  });

  test('equal values are the same however they are written', () => {
    expect(sameQuantity('1', '1000m')).toBe(true);
    expect(sameQuantity('2Gi', '2048Mi')).toBe(true);
    expect(sameQuantity('1', '1001m')).toBe(false);
  });
});
