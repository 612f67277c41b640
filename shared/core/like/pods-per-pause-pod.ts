import { type Amounts, nanos } from './quantities';

/** Measured: with four or more pods per pause pod no burst left pods behind (docs/benchmarks.md, "The last pod of a burst"). */
const USUAL = 4;
/** A pause pod that is larger finds no place on small nodes. */
const LARGEST: readonly (readonly [resource: string, quantity: string])[] = [
  ['cpu', '2'],
  ['memory', '8Gi'],
];

/** Resources of a device, of which pods rarely share one node. */
export function isExtended(resource: string): boolean {
  return resource.includes('/');
}

/**
 * How many pods one pause pod makes room for: one where they may not share a node or request devices, else as many as
 * written, else four, or as many as keep the pause pod within 2 vCPU and 8 GiB.
 */
export function podsPerPausePod(requests: Amounts, isApart: boolean, written: number | undefined): number {
  if (isApart || [...requests.keys()].some(isExtended)) return 1;
  if (written !== undefined) return written;
  const fits = LARGEST.map(([resource, quantity]) => {
    const each = requests.get(resource) ?? 0n;
    return each === 0n ? USUAL : Number((nanos(quantity) ?? 0n) / each);
  });
  return Math.max(1, Math.min(USUAL, ...fits));
}
