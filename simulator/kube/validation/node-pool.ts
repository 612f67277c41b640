import { type FieldError, invalidValue, requiredValue, unsupportedValue } from '../api-error';
import { isObject, type JsonObject, valueAt } from '../json';
import type { Draft } from '../object-store';

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte'];
const POLICIES = ['WhenEmpty', 'WhenEmptyOrUnderutilized', 'Balanced'];
const AFTER = /^(([0-9]+(s|m|h))+|Never)$/;

/** The essential rules of Karpenter's CRD. */
export function nodePoolErrors(object: Draft): readonly FieldError[] {
  const spec = valueAt(object, ['spec', 'template', 'spec']);
  const given = isObject(spec) ? spec : {};
  const disruption = valueAt(object, ['spec', 'disruption']);
  const errors: FieldError[] = [];
  if (!isObject(given.nodeClassRef)) errors.push(requiredValue('spec.template.spec.nodeClassRef'));
  if (!Array.isArray(given.requirements)) errors.push(requiredValue('spec.template.spec.requirements'));
  else errors.push(...given.requirements.flatMap(requirementErrors));
  return [...errors, ...disruptionErrors(isObject(disruption) ? disruption : {})];
}

function requirementErrors(requirement: unknown, index: number): readonly FieldError[] {
  const field = `spec.template.spec.requirements[${index}]`;
  const { operator, values, key } = isObject(requirement) ? requirement : {};
  if (!key) return [requiredValue(`${field}.key`)];
  if (!OPERATORS.includes(`${operator}`)) return [unsupportedValue(`${field}.operator`, operator, OPERATORS)];
  const count = Array.isArray(values) ? values.length : 0;
  if (operator === 'In' && count === 0) {
    return [invalidValue(field, requirement, "requirements with operator 'In' must have a value defined")];
  }
  if (/^[GL]te?$/.test(`${operator}`) && count !== 1) {
    return [
      invalidValue(field, requirement, `requirements operator '${operator}' must have a single positive integer value`),
    ];
  }
  return [];
}

function disruptionErrors({ consolidateAfter, consolidationPolicy }: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (!POLICIES.includes(`${consolidationPolicy}`)) {
    errors.push(unsupportedValue('spec.disruption.consolidationPolicy', consolidationPolicy, POLICIES));
  }
  if (!AFTER.test(`${consolidateAfter}`)) {
    const why = `should match '${AFTER.source}'`;
    errors.push(invalidValue('spec.disruption.consolidateAfter', consolidateAfter, why));
  }
  return errors;
}
