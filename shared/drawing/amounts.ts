import type { Money } from '../pricing/money';

export { count } from '../core/basics/count';

/** `12.5`, `1,234`: one digit after the point while it matters. */
export function amount(value: number): string {
  const rounded = Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 10) / 10;
  // Without options, which would build a formatter for each call.
  return rounded.toLocaleString('en-US');
}

/** `$1.04`, `$0.083`, `$1,234`. */
export function dollars(value: number): string {
  const size = Math.abs(value) < 0.00005 ? 0 : Math.abs(value);
  const digits = size >= 1_000 ? 0 : size >= 0.1 || size === 0 ? 2 : 4;
  const text = size.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${value < 0 && size > 0 ? '-' : ''}$${text}`;
}

/** `$1.04`, `$0.81–2.59`, `$8–27`, `-$27.59 to -$4.30`, `at most ¥1.04`: cents in a large range would say more than is known. */
export function moneyText({ low, high, currency, atMost }: Money): string {
  const coarse = low !== high && Math.max(Math.abs(low), Math.abs(high)) >= 10;
  const write = (value: number) => (coarse ? dollars(Math.round(value)).replace('.00', '') : dollars(value));
  const [from, to] = [write(low), write(high)];
  const range = from.startsWith('-') ? `${from} to ${to}` : `${from}–${to.replace('$', '')}`;
  const text = from === to ? to : range;
  return `${atMost ? 'at most ' : ''}${currency === 'CNY' ? text.replaceAll('$', '¥') : text}`;
}

/** `+2`, `-3`, `0`, with any formatter. */
export function signed(value: number, write: (value: number) => string = String): string {
  return value > 0 ? `+${write(value)}` : write(value);
}
