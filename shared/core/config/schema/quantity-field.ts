import * as z from 'zod';
import { parseQuantity } from './quantity';

/** A Kubernetes quantity; YAML numbers are welcome. Kubernetes itself counts up to 2^63. */
export const Quantity = z
  .union([z.string(), z.number()], { error: hintFor })
  .refine((value) => isBetween(parseQuantity(String(value)), 0, 2 ** 63), { error: hintFor });

function isBetween(value: number | undefined, least: number, most: number): boolean {
  return value !== undefined && value >= least && value <= most;
}

interface Written {
  readonly path?: readonly PropertyKey[] | undefined;
  readonly input?: unknown;
}

/** What to write instead, by the resource whose key it is. */
function hintFor({ path = [], input }: Written): string {
  const resource = String(path.at(-1) ?? '');
  const written = typeof input === 'string' ? input.trim().replace(',', '.') : '';
  if (resource === 'cpu') return `write ${likelyCpu(written) ?? 'a number of vCPU such as 2, or 500m for half of one'}`;
  if (isBytes(resource)) return `write ${likelyBytes(written) ?? 'an amount such as 16Gi or 512Mi'}`;
  return 'write a whole number such as 1';
}

/** Whether a resource is counted in bytes. */
function isBytes(resource: string): boolean {
  return resource === 'memory' || resource === 'ephemeral-storage' || resource.startsWith('hugepages-');
}

/** `4 cores`, `500 m`. */
function likelyCpu(written: string): string | undefined {
  const [, digits, milli] = /^(\d+(?:\.\d+)?)\s*(?:(m)|v?cpus?|cores?|c)?$/i.exec(written) ?? [];
  return digits && `${digits}${milli ? 'm' : ''}`;
}

/** `16GB`, `16 GiB`, `16g`. */
function likelyBytes(written: string): string | undefined {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmgtp])(?:i?b?|bytes?)$/i.exec(written) ?? [];
  return digits && `${digits}${unit.toUpperCase()}i`;
}
