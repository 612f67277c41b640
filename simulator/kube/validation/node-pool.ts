import { type FieldError, requiredValue, unsupportedValue } from '../api-error';
import { isObject, valueAt } from '../json';
import type { Draft } from '../object-store';

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte'];

/** What the simulated Karpenter cannot do without. */
export function nodePoolErrors(object: Draft): readonly FieldError[] {
  const field = 'spec.template.spec';
  const requirements = valueAt(object, ['spec', 'template', 'spec', 'requirements']);
  const nodeClass = valueAt(object, ['spec', 'template', 'spec', 'nodeClassRef']);
  return [
    ...(isObject(nodeClass) ? [] : [requiredValue(`${field}.nodeClassRef`)]),
    ...(Array.isArray(requirements)
      ? requirements.flatMap((one, index) => requirementErrors(`${field}.requirements[${index}]`, one))
      : [requiredValue(`${field}.requirements`)]),
  ];
}

function requirementErrors(field: string, requirement: unknown): readonly FieldError[] {
  const { operator, key } = isObject(requirement) ? requirement : {};
  if (!key) return [requiredValue(`${field}.key`)];
  return OPERATORS.includes(`${operator}`) ? [] : [unsupportedValue(`${field}.operator`, operator, OPERATORS)];
}
