import { type FieldError, forbiddenValue, invalidValue, requiredValue } from '../api-error';
import { isObject, sameJson, valueAt } from '../json';
import type { Draft } from '../object-store';
import { LABEL, LABEL_RULE } from './metadata';

/** What is wrong with the containers of a pod or of a pod template; the rest of the spec is taken as it is. */
export function podSpecErrors(field: string, spec: unknown): readonly FieldError[] {
  const containers = valueAt(spec, ['containers']);
  if (!Array.isArray(containers) || containers.length === 0) return [requiredValue(`${field}.containers`)];
  return containers.flatMap((container, index) => containerErrors(`${field}.containers[${index}]`, container));
}

function containerErrors(field: string, container: unknown): readonly FieldError[] {
  const given = isObject(container) ? container : {};
  const errors: FieldError[] = [];
  if (!given.name) errors.push(requiredValue(`${field}.name`));
  else if (!LABEL.test(`${given.name}`)) errors.push(invalidValue(`${field}.name`, given.name, LABEL_RULE));
  if (!given.image) errors.push(requiredValue(`${field}.image`));
  return errors;
}

/** Most of a pod's spec is immutable. */
export function podUpdateErrors(object: Draft, old: Draft): readonly FieldError[] {
  if (sameJson(fixedPart(object.spec), fixedPart(old.spec))) return [];
  const why =
    'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,' +
    '`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),' +
    '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';
  return [forbiddenValue('spec', why)];
}

function fixedPart(spec: unknown): unknown {
  if (!isObject(spec)) return spec;
  const { activeDeadlineSeconds, tolerations, ...rest } = spec;
  const containers = list(rest.containers).map((one) => (isObject(one) ? { ...one, image: '' } : one));
  return { ...rest, containers };
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
