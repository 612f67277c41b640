import { type FieldError, forbiddenValue, invalidValue, requiredValue, unsupportedValue } from '../api-error';
import { isObject, sameJson, valueAt } from '../json';
import type { Draft } from '../object-store';
import type { LabelSelector } from '../object-types';
import { compileLabelSelector } from '../selectors';
import { labelErrors } from './metadata';
import { podSpecErrors } from './pod';

export function deploymentErrors(object: Draft): readonly FieldError[] {
  const spec = isObject(object.spec) ? object.spec : {};
  const negative = invalidValue('spec.replicas', spec.replicas, 'must be greater than or equal to 0');
  return [
    ...(Number(spec.replicas) < 0 ? [negative] : []),
    ...selectorErrors(spec),
    ...strategyErrors(spec.strategy),
    ...templateErrors(spec.template),
  ];
}

function selectorErrors(spec: Readonly<Record<string, unknown>>): readonly FieldError[] {
  const labels = valueAt(spec.template, ['metadata', 'labels']);
  const mismatch = invalidValue(
    'spec.template.metadata.labels',
    labels ?? null,
    '`selector` does not match template `labels`',
  );
  if (!isObject(spec.selector)) return [requiredValue('spec.selector'), mismatch];
  if (Object.keys(spec.selector).length === 0) {
    return [invalidValue('spec.selector', spec.selector, 'empty selector is invalid for deployment'), mismatch];
  }
  const matches = compileLabelSelector(spec.selector as LabelSelector);
  return matches((labels ?? {}) as Readonly<Record<string, string>>) ? [] : [mismatch];
}

function strategyErrors(strategy: unknown): readonly FieldError[] {
  if (valueAt(strategy, ['type']) === 'Recreate' && valueAt(strategy, ['rollingUpdate']) !== undefined) {
    const why = "may not be specified when strategy `type` is 'Recreate'";
    return [forbiddenValue('spec.strategy.rollingUpdate', why)];
  }
  const unavailable = valueAt(strategy, ['rollingUpdate', 'maxUnavailable']);
  if (!isZero(unavailable) || !isZero(valueAt(strategy, ['rollingUpdate', 'maxSurge']))) return [];
  const field = 'spec.strategy.rollingUpdate.maxUnavailable';
  return [invalidValue(field, unavailable, 'may not be 0 when `maxSurge` is 0')];
}

function isZero(value: unknown): boolean {
  return value === 0 || value === '0%';
}

function templateErrors(template: unknown): readonly FieldError[] {
  const restartPolicy = valueAt(template, ['spec', 'restartPolicy']) ?? 'Always';
  const unsupported = unsupportedValue('spec.template.spec.restartPolicy', restartPolicy, ['Always']);
  return [
    ...labelErrors('spec.template.labels', valueAt(template, ['metadata', 'labels'])),
    ...podSpecErrors('spec.template.spec', valueAt(template, ['spec'])),
    ...(restartPolicy === 'Always' ? [] : [unsupported]),
  ];
}

export function deploymentUpdateErrors(object: Draft, old: Draft): readonly FieldError[] {
  const [now, before] = [valueAt(object.spec, ['selector']), valueAt(old.spec, ['selector'])];
  return sameJson(now, before) ? [] : [invalidValue('spec.selector', now, 'field is immutable')];
}
