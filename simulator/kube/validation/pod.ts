import { parseQuantity } from '../../../shared/core/config/schema/quantity';
import { type FieldError, forbiddenValue, invalidValue, requiredValue, unsupportedValue } from '../api-error';
import { isObject, type JsonObject, sameJson, valueAt } from '../json';
import type { Draft } from '../object-store';

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const NAME_RULE =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an " +
  "alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const AFFINITY = 'requiredDuringSchedulingIgnoredDuringExecution';
const NODE_OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'];

/** What is wrong with the spec of a pod or of a pod template. */
export function podSpecErrors(field: string, spec: unknown): readonly FieldError[] {
  const given = isObject(spec) ? spec : {};
  return [
    ...containersErrors(`${field}.containers`, given.containers),
    ...antiAffinityErrors(field, given),
    ...nodeAffinityErrors(field, given),
    ...spreadErrors(`${field}.topologySpreadConstraints`, given.topologySpreadConstraints),
    ...tolerationErrors(`${field}.tolerations`, given.tolerations),
    ...graceErrors(`${field}.terminationGracePeriodSeconds`, given.terminationGracePeriodSeconds),
  ];
}

function containersErrors(field: string, containers: unknown): readonly FieldError[] {
  if (!Array.isArray(containers) || containers.length === 0) return [requiredValue(field)];
  return containers.flatMap((container, index) => containerErrors(`${field}[${index}]`, container));
}

function containerErrors(field: string, container: unknown): readonly FieldError[] {
  const given = isObject(container) ? container : {};
  const errors: FieldError[] = [];
  if (!given.name) errors.push(requiredValue(`${field}.name`));
  else if (!LABEL.test(`${given.name}`)) errors.push(invalidValue(`${field}.name`, given.name, NAME_RULE));
  if (!given.image) errors.push(requiredValue(`${field}.image`));
  return [...errors, ...resourceErrors(`${field}.resources`, given.resources)];
}

function resourceErrors(field: string, resources: unknown): readonly FieldError[] {
  const { requests, limits } = isObject(resources) ? resources : {};
  return Object.entries(isObject(requests) ? requests : {}).flatMap(([name, quantity]) => {
    const [value, limit] = [parseQuantity(`${quantity}`), parseQuantity(`${valueAt(limits, [name])}`)];
    if (value !== undefined && value < 0) {
      return [invalidValue(`${field}.requests[${name}]`, quantity, 'must be greater than or equal to 0')];
    }
    if (value === undefined || limit === undefined || value <= limit) return [];
    const why = `must be less than or equal to ${name} limit of ${valueAt(limits, [name])}`;
    return [invalidValue(`${field}.requests`, quantity, why)];
  });
}

function antiAffinityErrors(field: string, spec: JsonObject): readonly FieldError[] {
  const terms = valueAt(spec, ['affinity', 'podAntiAffinity', AFFINITY]);
  return list(terms).flatMap((term, index) => {
    const at = `${field}.affinity.podAntiAffinity.${AFFINITY}[${index}].topologyKey`;
    return isObject(term) && term.topologyKey ? [] : [requiredValue(at, 'can not be empty')];
  });
}

function nodeAffinityErrors(field: string, spec: JsonObject): readonly FieldError[] {
  const selector = valueAt(spec, ['affinity', 'nodeAffinity', AFFINITY]);
  if (!isObject(selector)) return [];
  const at = `${field}.affinity.nodeAffinity.${AFFINITY}.nodeSelectorTerms`;
  const terms = list(selector.nodeSelectorTerms);
  if (terms.length === 0) return [requiredValue(at, 'must have at least one node selector term')];
  return terms.flatMap((term, index) =>
    list(valueAt(term, ['matchExpressions'])).flatMap((expression, place) =>
      expressionErrors(`${at}[${index}].matchExpressions[${place}]`, expression),
    ),
  );
}

function expressionErrors(field: string, expression: unknown): readonly FieldError[] {
  const { operator, values } = isObject(expression) ? expression : {};
  if (!NODE_OPERATORS.includes(`${operator}`)) {
    return [invalidValue(`${field}.operator`, operator, 'not a valid selector operator')];
  }
  const count = list(values).length;
  if ((operator === 'In' || operator === 'NotIn') && count === 0) {
    return [requiredValue(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
  }
  if ((operator === 'Gt' || operator === 'Lt') && count !== 1) {
    return [requiredValue(`${field}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
  }
  return [];
}

function spreadErrors(field: string, constraints: unknown): readonly FieldError[] {
  return list(constraints).flatMap((constraint, index) => {
    const { maxSkew, topologyKey, whenUnsatisfiable } = isObject(constraint) ? constraint : {};
    const errors: FieldError[] = [];
    if (!(Number(maxSkew) > 0))
      errors.push(invalidValue(`${field}[${index}].maxSkew`, maxSkew ?? 0, 'must be greater than zero'));
    if (!topologyKey) errors.push(requiredValue(`${field}[${index}].topologyKey`, 'can not be empty'));
    const actions = ['DoNotSchedule', 'ScheduleAnyway'];
    if (!actions.includes(`${whenUnsatisfiable}`)) {
      errors.push(unsupportedValue(`${field}[${index}].whenUnsatisfiable`, whenUnsatisfiable ?? '', actions));
    }
    return errors;
  });
}

function tolerationErrors(field: string, tolerations: unknown): readonly FieldError[] {
  return list(tolerations).flatMap((toleration, index) => {
    const { key, operator, value } = isObject(toleration) ? toleration : {};
    const at = `${field}[${index}].operator`;
    if (!key && operator !== 'Exists') {
      return [
        invalidValue(
          at,
          operator ?? '',
          'operator must be Exists when `key` is empty, which means "match all values and all keys"',
        ),
      ];
    }
    if (operator === 'Exists' && value) {
      return [invalidValue(at, toleration, "value must be empty when `operator` is 'Exists'")];
    }
    return [];
  });
}

function graceErrors(field: string, seconds: unknown): readonly FieldError[] {
  return Number(seconds) < 0 ? [invalidValue(field, seconds, 'must be greater than or equal to 0')] : [];
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
