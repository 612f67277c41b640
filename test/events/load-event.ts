import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The event in the file of that name beside this one, with changes laid over its top level and its detail. */
export function loadEvent(
  name: string,
  change: Readonly<Record<string, unknown>> = {},
  detail: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const event = JSON.parse(readFileSync(join(__dirname, `${name}.json`), 'utf8'));
  return { ...event, ...change, ...(event.detail !== undefined && { detail: { ...event.detail, ...detail } }) };
}
