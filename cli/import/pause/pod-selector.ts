import { asList, asMap, type Values } from '../../../shared/core/config/yaml/untyped';

/** Whether a label selector of a pod selects the pod itself; where its labels are not known, it is taken for one that does. */
export function selectsItself(selector: unknown, labels: Values | undefined): boolean {
  if (labels === undefined) return true;
  if (selector === undefined || selector === null) return false;
  const { matchLabels, matchExpressions } = asMap(selector);
  const byLabels = Object.entries(asMap(matchLabels)).every(([key, value]) => labels[key] === value);
  return byLabels && asList(matchExpressions).every((expression) => matches(asMap(expression), labels));
}

function matches({ key, operator, values }: Values, labels: Values): boolean {
  const value = labels[String(key)];
  const listed = asList(values).includes(value);
  switch (operator) {
    case 'In':
      return listed;
    case 'NotIn':
      return !listed;
    case 'Exists':
      return value !== undefined;
    default:
      return value === undefined;
  }
}
