import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One of the recorded events beside this file, with changes laid over its top level and its detail. */
export function loadEvent(
  name: string,
  change: Readonly<Record<string, unknown>> = {},
  detail: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const event = JSON.parse(readFileSync(join(__dirname, `${name}.json`), 'utf8')) as Record<string, unknown>;
  return { ...event, ...change, ...(event.detail !== undefined && { detail: { ...event.detail, ...detail } }) };
}
