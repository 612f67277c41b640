import { parseQuantity } from '../../../shared/core/config/schema/quantity';

const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];

/** The form in which the API server stores a quantity: `1000m` becomes `1`, `0.5` `500m`, `1024Mi` `1Gi`. */
export function canonicalQuantity(quantity: string | number): string {
  const text = `${quantity}`;
  const value = parseQuantity(text);
  if (value === undefined) return text;
  if (value === 0) return '0';
  return text.endsWith('i') && Math.abs(value) >= 1024 ? inBinary(value) : inDecimal(value);
}

function inBinary(value: number): string {
  let [rest, power] = [value, 0];
  while (power < BINARY.length - 1 && rest % 1024 === 0) [rest, power] = [rest / 1024, power + 1];
  return `${rest}${BINARY[power]}`;
}

function inDecimal(value: number): string {
  let [rest, power] = [value, DECIMAL.indexOf('')];
  while (power > 0 && !isWhole(rest)) [rest, power] = [rest * 1000, power - 1];
  rest = Math.sign(rest) * Math.ceil(Math.abs(rest) - 1e-6);
  while (power < DECIMAL.length - 1 && rest % 1000 === 0) [rest, power] = [rest / 1000, power + 1];
  return `${rest}${DECIMAL[power]}`;
}

function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) < 1e-6;
}
