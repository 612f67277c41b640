import { amount, dollars, moneyText, signed } from '../../../shared/drawing/amounts';
import { lengthText } from '../../../shared/drawing/local-time';

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
