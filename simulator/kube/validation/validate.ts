import { type FieldError, invalid, invalidValue } from '../api-error';
import { isObject, sameJson } from '../json';
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
import { nodePoolErrors } from './node-pool';
import { podSpecErrors, podUpdateErrors } from './pod';
import { priorityClassErrors, priorityClassUpdateErrors } from './priority-class';

const KEY = /^[-._a-zA-Z0-9]+$/;
const RULE =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or " +
  "'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

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
