import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = join(__dirname, '../../shared/core/events');

/**
 * The sample of an event source, by the name of its file, or one of the variants beside this file,
 * with changes laid over its top level and its detail.
 */
export function loadEvent(
  name: string,
  change: Readonly<Record<string, unknown>> = {},
  detail: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const variant = join(__dirname, `${name}.json`);
  const event = existsSync(variant) ? JSON.parse(readFileSync(variant, 'utf8')) : sampleOf(name);
  return { ...event, ...change, ...(event.detail !== undefined && { detail: { ...event.detail, ...detail } }) };
}

function sampleOf(name: string): Record<string, unknown> {
  return (require(join(SOURCES, name)) as { readonly sample: Record<string, unknown> }).sample;
}
