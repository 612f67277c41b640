import type { MatchExpression } from '../config/config';

/** Whether labels satisfy one expression, of label selectors, node selectors or NodePool requirements. */
export function matchesExpression(
  { key, operator, values }: MatchExpression,
  labels: Readonly<Record<string, string>>,
): boolean {
  const value = labels[key];
  if (value === undefined) return operator === 'NotIn' || operator === 'DoesNotExist';
  switch (operator) {
    case 'In':
      return values?.includes(value) === true;
    case 'NotIn':
      return !values?.includes(value);
    case 'Exists':
      return true;
    default:
      return comparesTo(operator, value, values?.[0]);
  }
}

/** Nothing compares with a bound that is missing, which is no number. */
function comparesTo(operator: string, value: string, bound: string | undefined): boolean {
  if (!/^\d+$/.test(value)) return false;
  const difference = Number(value) - Number(bound);
  switch (operator) {
    case 'Gt':
      return difference > 0;
    case 'Gte':
      return difference >= 0;
    case 'Lt':
      return difference < 0;
    case 'Lte':
      return difference <= 0;
    default:
      return false;
  }
}
