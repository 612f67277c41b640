import { parse } from 'yaml';
import { messageOf } from '../../../../shared/core/basics/errors';
import { badRequest, unsupportedMediaType } from '../api-error';

const YAML_TYPES = ['application/yaml', 'application/apply-patch+yaml'];
const JSON_TYPES = ['application/json', 'application/merge-patch+json', 'application/strategic-merge-patch+json'];

export function mediaType(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}

/** The parsed body of a request; throws a bad request if it cannot be parsed. */
export function parseBody({ contentType, body }: { readonly contentType: string; readonly body: string }): unknown {
  const type = mediaType(contentType) || 'application/json';
  if (!JSON_TYPES.includes(type) && !YAML_TYPES.includes(type)) {
    throw unsupportedMediaType(['application/json', 'application/yaml']);
  }
  try {
    return JSON.parse(body);
  } catch (error) {
    if (!YAML_TYPES.includes(type))
      throw badRequest(
        `the object provided is unrecognized: couldn't get version/kind; json parse error: ${messageOf(error)}`,
      );
  }
  try {
    return parse(body);
  } catch (error) {
    throw badRequest(`error decoding YAML: ${messageOf(error)}`);
  }
}
