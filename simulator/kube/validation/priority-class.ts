import { type FieldError, forbiddenValue, invalidValue, unsupportedValue } from '../api-error';
import type { Draft } from '../object-store';

const HIGHEST_USER_PRIORITY = 1_000_000_000;
const POLICIES = ['PreemptLowerPriority', 'Never'];

export function priorityClassErrors(object: Draft): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (object.metadata.name.startsWith('system-')) {
    const why = "priority class names with 'system-' prefix are reserved for system use only";
    errors.push(forbiddenValue('metadata.name', why));
  } else if (Number(object.value) > HIGHEST_USER_PRIORITY) {
    errors.push(
      forbiddenValue('value', `maximum allowed value of a user defined priority is ${HIGHEST_USER_PRIORITY}`),
    );
  }
  if (!POLICIES.includes(`${object.preemptionPolicy}`)) {
    errors.push(unsupportedValue('preemptionPolicy', object.preemptionPolicy, POLICIES));
  }
  return errors;
}

export function priorityClassUpdateErrors(object: Draft, old: Draft): readonly FieldError[] {
  const errors: FieldError[] = [];
  if ((object.value ?? 0) !== (old.value ?? 0))
    errors.push(forbiddenValue('value', 'may not be changed in an update.'));
  if (object.preemptionPolicy !== old.preemptionPolicy) {
    errors.push(invalidValue('preemptionPolicy', object.preemptionPolicy, 'field is immutable'));
  }
  return errors;
}
