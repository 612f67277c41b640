import { type FieldError, invalidValue } from '../api-error';
import { isObject } from '../json';
import type { Draft } from '../object-store';

const KEY = /^[-._a-zA-Z0-9]+$/;
const RULE =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or " +
  "'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

export function configMapErrors(object: Draft): readonly FieldError[] {
  const keys = Object.keys(isObject(object.data) ? object.data : {}).filter((key) => !KEY.test(key));
  return keys.map((key) => invalidValue(`data[${key}]`, key, RULE));
}
