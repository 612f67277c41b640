import type { JsonObject } from './json';
import { type GroupKind, type Kind, kindName, resourceName } from './kinds';

const STATUS = { kind: 'Status', apiVersion: 'v1', metadata: {} };

/** A refusal by the API, with the Status that a real kube-apiserver would return. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: JsonObject;

  constructor(
    readonly code: number,
    reason: string,
    message: string,
    details?: JsonObject,
  ) {
    super(message);
    this.status = { ...STATUS, status: 'Failure', message, reason, ...(details && { details }), code };
  }
}

function resourceDetails(kind: Kind, name: string): JsonObject {
  return { name, ...(kind.group !== '' && { group: kind.group }), kind: kind.plural };
}

export function success(kind: Kind, name: string, uid: string): JsonObject {
  return { ...STATUS, status: 'Success', details: { ...resourceDetails(kind, name), uid } };
}

export function notFound(kind: Kind, name: string): ApiError {
  return new ApiError(404, 'NotFound', `${resourceName(kind)} "${name}" not found`, resourceDetails(kind, name));
}

export function noSuchResource(): ApiError {
  return new ApiError(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function alreadyExists(kind: Kind, name: string): ApiError {
  const message = `${resourceName(kind)} "${name}" already exists`;
  return new ApiError(409, 'AlreadyExists', message, resourceDetails(kind, name));
}

export function conflict(kind: Kind, name: string, why: string): ApiError {
  const message = `Operation cannot be fulfilled on ${resourceName(kind)} "${name}": ${why}`;
  return new ApiError(409, 'Conflict', message, resourceDetails(kind, name));
}

export function preconditionFailed(kind: Kind, name: string, why: string): ApiError {
  const message = `Operation cannot be fulfilled on ${kindName(kind)} "${name}": ${why}`;
  return new ApiError(409, 'Conflict', message, { ...resourceDetails(kind, name), kind: kind.kind });
}

export function modified(kind: Kind, name: string): ApiError {
  const why = 'the object has been modified; please apply your changes to the latest version and try again';
  return conflict(kind, name, why);
}

export function forbidden(kind: Kind, name: string, why: string): ApiError {
  const message = `${resourceName(kind)} "${name}" is forbidden: ${why}`;
  return new ApiError(403, 'Forbidden', message, resourceDetails(kind, name));
}

export function badRequest(message: string): ApiError {
  return new ApiError(400, 'BadRequest', message);
}

export function methodNotAllowed(): ApiError {
  const message = 'the server does not allow this method on the requested resource';
  return new ApiError(405, 'MethodNotAllowed', message, {});
}

export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return new ApiError(415, 'UnsupportedMediaType', message);
}

export function unsupportedPatchType(): ApiError {
  return new ApiError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
}

export interface FieldError {
  readonly field: string;
  readonly reason: 'FieldValueInvalid' | 'FieldValueRequired' | 'FieldValueForbidden' | 'FieldValueNotSupported';
  readonly message: string;
}

export function invalidValue(field: string, value: unknown, why: string): FieldError {
  return { field, reason: 'FieldValueInvalid', message: `Invalid value: ${JSON.stringify(value)}: ${why}` };
}

export function requiredValue(field: string, why = ''): FieldError {
  return { field, reason: 'FieldValueRequired', message: why === '' ? 'Required value' : `Required value: ${why}` };
}

export function forbiddenValue(field: string, why: string): FieldError {
  return { field, reason: 'FieldValueForbidden', message: `Forbidden: ${why}` };
}

export function unsupportedValue(field: string, value: unknown, supported: readonly string[]): FieldError {
  const list = supported.map((one) => JSON.stringify(one)).join(', ');
  const message = `Unsupported value: ${JSON.stringify(value)}: supported values: ${list}`;
  return { field, reason: 'FieldValueNotSupported', message };
}

/** For resources, and for objects that are none, such as the options of a request. */
export function invalid(about: GroupKind, name: string, errors: readonly FieldError[]): ApiError {
  const lines = errors.map((error) => `${error.field}: ${error.message}`);
  const list = lines.length === 1 ? lines[0] : `[${lines.join(', ')}]`;
  const causes = errors.map(({ reason, message, field }) => ({ reason, message, field }));
  const { group, kind } = about;
  const details = { name, kind, ...(group !== '' && { group }), causes };
  return new ApiError(422, 'Invalid', `${kindName(about)} "${name}" is invalid: ${list}`, details);
}
