import { type FieldError, invalidValue } from '../api-error';
import type { Draft } from '../object-store';

export const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const QUALIFIED_NAME = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
export const LABEL_RULE =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an " +
  "alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end " +
  "with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const NAME_PART_RULE =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric " +
  "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
  "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const LABEL_VALUE_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end " +
  "with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
  "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const LARGEST_ANNOTATIONS = 256 * 1024;

export function metadataErrors(metadata: Draft['metadata'], isNamespace: boolean): readonly FieldError[] {
  return [
    ...nameErrors(metadata.name, isNamespace),
    ...labelErrors('metadata.labels', metadata.labels),
    ...annotationErrors(metadata.annotations),
  ];
}

function nameErrors(name: string, isNamespace: boolean): readonly FieldError[] {
  // Names of RBAC objects may contain a colon; the real rule for them is "a path segment".
  if (/^[a-z0-9.-]*:[a-z0-9:.-]*$/.test(name)) return [];
  const longest = isNamespace ? 63 : 253;
  const [pattern, rule] = isNamespace ? [LABEL, LABEL_RULE] : [SUBDOMAIN, SUBDOMAIN_RULE];
  if (name.length > longest) return [invalidValue('metadata.name', name, `must be no more than ${longest} bytes`)];
  return pattern.test(name) ? [] : [invalidValue('metadata.name', name, rule)];
}

export function labelErrors(field: string, labels: unknown): readonly FieldError[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...keyErrors(field, key),
    ...valueErrors(field, `${value}`),
  ]);
}

function keyErrors(field: string, key: string): readonly FieldError[] {
  const [name = '', prefix] = key.split('/').reverse();
  if (prefix !== undefined && !SUBDOMAIN.test(prefix)) {
    return [invalidValue(field, key, `prefix part ${SUBDOMAIN_RULE}`)];
  }
  if (name.length > 63) return [invalidValue(field, key, 'name part must be no more than 63 bytes')];
  return QUALIFIED_NAME.test(name) ? [] : [invalidValue(field, key, NAME_PART_RULE)];
}

function valueErrors(field: string, value: string): readonly FieldError[] {
  if (value.length > 63) return [invalidValue(field, value, 'must be no more than 63 bytes')];
  return value === '' || QUALIFIED_NAME.test(value) ? [] : [invalidValue(field, value, LABEL_VALUE_RULE)];
}

function annotationErrors(annotations: unknown): readonly FieldError[] {
  const entries = Object.entries(annotations ?? {});
  const size = entries.reduce((sum, [key, value]) => sum + key.length + Buffer.byteLength(`${value}`), 0);
  const keys = entries.flatMap(([key]) => keyErrors('metadata.annotations', key.toLowerCase()));
  if (size <= LARGEST_ANNOTATIONS) return keys;
  const message = `Too long: may not be more than ${LARGEST_ANNOTATIONS} bytes`;
  return [...keys, { field: 'metadata.annotations', reason: 'FieldValueInvalid', message }];
}
