import { type FieldError, forbiddenValue, invalid, invalidValue, requiredValue, unsupportedValue } from '../api-error';
import { isObject, sameJson, valueAt } from '../json';
import {
  CONFIG_MAPS,
  DEPLOYMENTS,
  type Kind,
  NAMESPACES,
  NODE_CLAIMS,
  NODE_POOLS,
  PODS,
  PRIORITY_CLASSES,
} from '../kinds';
import type { Draft } from '../object-store';
import { deploymentErrors, deploymentUpdateErrors } from './deployment';
import { metadataErrors } from './metadata';
import { podSpecErrors, podUpdateErrors } from './pod';

const KEY = /^[-._a-zA-Z0-9]+$/;
const RULE =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or " +
  "'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

const HIGHEST_USER_PRIORITY = 1_000_000_000;
const POLICIES = ['PreemptLowerPriority', 'Never'];
const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte'];

type Check = (object: Draft) => readonly FieldError[];
type UpdateCheck = (object: Draft, old: Draft) => readonly FieldError[];

const CHECKS = new Map<Kind, Check>([
  [DEPLOYMENTS, deploymentErrors],
  [PODS, (object) => podSpecErrors('spec', object.spec)],
  [PRIORITY_CLASSES, priorityClassErrors],
  [NODE_POOLS, nodePoolErrors],
  [CONFIG_MAPS, configMapErrors],
]);
const UPDATE_CHECKS = new Map<Kind, UpdateCheck>([
  [DEPLOYMENTS, deploymentUpdateErrors],
  [PODS, podUpdateErrors],
  [PRIORITY_CLASSES, priorityClassUpdateErrors],
  [NODE_CLAIMS, nodeClaimUpdateErrors],
]);

/** Throws the API server's 422 if an object is invalid; `old` is the object that an update replaces. */
export function validate(kind: Kind, object: Draft, old?: Draft): void {
  const errors = [
    ...metadataErrors(object.metadata, kind === NAMESPACES),
    ...(CHECKS.get(kind)?.(object) ?? []),
    ...(old ? (UPDATE_CHECKS.get(kind)?.(object, old) ?? []) : []),
  ];
  if (errors.length > 0) throw invalid(kind, object.metadata.name, errors);
}

function nodeClaimUpdateErrors(object: Draft, old: Draft): readonly FieldError[] {
  if (sameJson(object.spec, old.spec)) return [];
  return [invalidValue('spec', isObject(object.spec) ? 'object' : object.spec, 'spec is immutable')];
}

function configMapErrors(object: Draft): readonly FieldError[] {
  const keys = Object.keys(isObject(object.data) ? object.data : {}).filter((key) => !KEY.test(key));
  return keys.map((key) => invalidValue(`data[${key}]`, key, RULE));
}

function priorityClassErrors(object: Draft): readonly FieldError[] {
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

function priorityClassUpdateErrors(object: Draft, old: Draft): readonly FieldError[] {
  const errors: FieldError[] = [];
  if ((object.value ?? 0) !== (old.value ?? 0))
    errors.push(forbiddenValue('value', 'may not be changed in an update.'));
  if (object.preemptionPolicy !== old.preemptionPolicy) {
    errors.push(invalidValue('preemptionPolicy', object.preemptionPolicy, 'field is immutable'));
  }
  return errors;
}

/** What the simulated Karpenter cannot do without. */
function nodePoolErrors(object: Draft): readonly FieldError[] {
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
