import fc from 'fast-check';
import { amount, dollars, moneyText, signed } from '../../../shared/drawing/amounts';
import { lengthText } from '../../../shared/drawing/local-time';
import type { Money } from '../../../shared/pricing/money';

describe('amounts', () => {
  test.each([
    [{ low: 1.038, high: 1.038 }, '$1.04'],
    [{ low: 0.8064, high: 2.586 }, '$0.81–2.59'],
    [{ low: 8.4, high: 26.94 }, '$8–27'],
    [{ low: 1.5, high: 1.5, atMost: true as const }, 'at most $1.50'],
    [{ low: 8.4, high: 1269.4, currency: 'CNY' as const }, '¥8–1,269'],
    [{ low: 0, high: 0 }, '$0.00'],
  ])('%j is %s', (money, text) => {
    expect(moneyText({ currency: 'USD', ...money })).toBe(text);
  });

  test('are as exact as they matter', () => {
    expect([12.5, 0.04, 236.4, 1512].map(amount)).toEqual(['12.5', '0', '236', '1,512']);
    expect([1.038, 0.0832, 0, 1234.5, -2.5].map(dollars)).toEqual(['$1.04', '$0.0832', '$0.00', '$1,235', '-$2.50']);
    expect([signed(2), signed(-2), signed(0), signed(1.5, dollars)]).toEqual(['+2', '-2', '0', '+$1.50']);
    expect([24, 36, 168, 0.5, 49.5].map((hours) => lengthText(hours * 3_600_000))).toEqual([
      '24 h',
      '36 h',
      '7 d',
      '30 min',
      '2 d 1 h 30 min',
    ]);
  });
});

describe('money, whatever its amount', () => {
  const amountOf = fc.oneof(
    fc.double({ min: -1e7, max: 1e7, noNaN: true }),
    fc.double({ min: -0.2, max: 0.2, noNaN: true }),
  );
  const ONE = String.raw`-?[$¥](?:\d{1,3}(?:,\d{3})+|\d{1,3})(?:\.\d{2}|\.\d{4})?`;
  const SHAPE = new RegExp(`^(?:at most )?${ONE}(?:–${ONE.replace('-?[$¥]', '')}| to ${ONE})?$`);
  const numberIn = (text: string) => Number(text.replace(/[$¥,]/g, ''));

  test('is one amount or a range of two, never with two signs in a row, and never a negative nothing', () => {
    fc.assert(
      fc.property(amountOf, amountOf, fc.constantFrom('USD', 'CNY'), fc.boolean(), (a, b, currency, atMost) => {
        const money = { low: Math.min(a, b), high: Math.max(a, b), currency, ...(atMost && { atMost: true as const }) };
        const text = moneyText(money as Money);
        expect(text).toMatch(SHAPE);
        expect(text).not.toMatch(/-[$¥]0(\.0+)?(?![\d.])/);
        expect(text.includes('¥')).toBe(currency === 'CNY');
      }),
    );
  });

  test('reads back as what it was, to the digits that are shown, the lower end first', () => {
    fc.assert(
      fc.property(amountOf, amountOf, (a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const [from = '', to = from] = moneyText({ low, high, currency: 'USD' }).split(/–| to /);
        const isWithin = (text: string, value: number) =>
          Math.abs(numberIn(text) - value) <= (Math.max(Math.abs(low), Math.abs(high)) >= 10 ? 0.5 : 0.005) + 1e-9;
        expect([from, isWithin(from, low)]).toEqual([from, true]);
        expect([to, isWithin(to, high)]).toEqual([to, true]);
        expect(numberIn(from)).toBeLessThanOrEqual(numberIn(to));
      }),
    );
  });
});
