import type { MatchExpression } from '../config/config';

/** Whether labels satisfy one expression, of label selectors, node selectors or NodePool requirements. */
export function matchesExpression(
  { key, operator, values = [] }: MatchExpression,
  labels: Readonly<Record<string, string>>,
): boolean {
  const value = labels[key];
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return comparesTo(operator, value, values[0]);
  }
}

function comparesTo(operator: string, value: string | undefined, bound: string | undefined): boolean {
  if (value === undefined || bound === undefined || !/^\d+$/.test(value)) return false;
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
