import { count } from '../basics/count';
import type { HeadroomConfig, Unit } from './config';

type Sized = Pick<HeadroomConfig, 'unit' | 'minNode'> & Partial<Pick<HeadroomConfig, 'like' | 'shaped'>>;

/** What one replica holds, as quantities: its requests, or the size of the node that a floor keeps. */
export function unitSize({ unit, minNode: { cpu, memoryMiB, gpus } = {} }: Sized): Readonly<Record<string, string>> {
  if (unit.kind !== 'floor') return unit.requests;
  return {
    ...(cpu !== undefined && { cpu: String(cpu) }),
    ...(memoryMiB !== undefined && { memory: memoryMiB % 1024 === 0 ? `${memoryMiB / 1024}Gi` : `${memoryMiB}Mi` }),
    ...(gpus !== undefined && { gpu: String(gpus) }),
  };
}

/** `4 vCPU, 16 GiB`. */
export function sizeText(pool: Sized): string {
  const sizes = Object.entries(unitSize(pool)).map(([resource, quantity]) => {
    if (resource === 'cpu') return `${quantity.replace(/^(\d+)m$/, (_, milli) => String(milli / 1_000))} vCPU`;
    if (resource === 'gpu') return count(Number(quantity), 'GPU');
    return resource === 'memory' ? quantity.replace(/(?<=\d)([KMGT]i)$/, ' $1B') : `${quantity} ${resource}`;
  });
  return sizes.join(', ');
}

/** What replicas are counted in: those of a floor are nodes too. */
export function unitNoun({ kind }: Unit): 'node' | 'slice' {
  return kind === 'slice' ? 'slice' : 'node';
}

/** `6 nodes`, `1 slice`. */
/** How many nodes a window asks for at once; slices may share some. */
export function togetherText(nodes: number, { kind }: Unit): string {
  return `${kind === 'slice' ? 'up to ' : ''}${count(nodes, 'node')}`;
}

export function unitsText(amount: number, unit: Unit): string {
  return count(amount, unitNoun(unit));
}

const WORDS: Readonly<Record<Unit['kind'], (size: string) => string>> = {
  node: (size) => `Room · ${size} free on each node`,
  slice: (size) => `Room · slices of ${size}`,
  floor: (size) => `Floor · nodes ≥ ${size}`,
};

/** What one replica stands for: `Floor · nodes ≥ 4 vCPU, 16 GiB`. */
export function unitText(pool: Sized): string {
  const { like, shaped } = pool;
  if (like && !isShaped({ like, unit: pool.unit })) return `Room · for pods of ${like.namespace}/${like.name}`;
  if (like && shaped) {
    const pods = `${count(shaped.pods, 'pod')} of ${like.namespace}/${like.name}`;
    return `Room · each pause pod for ${pods}: ${sizeText(pool)}`;
  }
  return WORDS[pool.unit.kind](sizeText(pool));
}

/** What `max` bounds: all of the headroom, or what relative windows and overrides add to the nodes that there are. */
export function boundText(
  { max, windows }: Pick<HeadroomConfig, 'max' | 'windows'>,
  override?: { readonly mode: string },
): string {
  const adds = windows.some(({ relative }) => relative) || override?.mode === 'addNodes';
  return `${adds ? 'adds ' : ''}at most ${max}`;
}

/** Whether the size of one replica is known: that of a workload's pods is read from the cluster. */
export function isShaped({ like, unit }: Pick<HeadroomConfig, 'like' | 'unit'>): boolean {
  return !like || Object.keys(unit.requests).length > 0;
}
