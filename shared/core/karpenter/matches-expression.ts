import type { MatchExpression } from '../config/config';

const COMPARISONS: ReadonlyMap<string, (difference: number) => boolean> = new Map([
  ['Gt', (difference) => difference > 0],
  ['Gte', (difference) => difference >= 0],
  ['Lt', (difference) => difference < 0],
  ['Lte', (difference) => difference <= 0],
]);

/** Whether labels satisfy one expression, of label selectors, node selectors or NodePool requirements. */
export function matchesExpression(
  { key, operator, values = [] }: MatchExpression,
  labels: Readonly<Record<string, string>>,
): boolean {
  const value = labels[key];
  if (value === undefined) return operator === 'NotIn' || operator === 'DoesNotExist';
  if (operator === 'Exists') return true;
  if (operator === 'In' || operator === 'NotIn') return values.includes(value) === (operator === 'In');
  // Nothing compares with a bound that is missing, which is no number.
  return /^\d+$/.test(value) && COMPARISONS.get(operator)?.(Number(value) - Number(values[0])) === true;
}
