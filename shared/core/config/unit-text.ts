import type { NodePoolConfig, Unit } from './config';

type Sized = Pick<NodePoolConfig, 'unit' | 'minNode'>;

/** What one replica holds, as quantities: its requests, or the size of the node that a floor keeps. */
export function unitSize({ unit, minNode: { cpu, memoryMiB } = {} }: Sized): Readonly<Record<string, string>> {
  if (unit.kind !== 'floor') return unit.requests;
  return {
    ...(cpu !== undefined && { cpu: String(cpu) }),
    ...(memoryMiB !== undefined && { memory: memoryMiB % 1024 === 0 ? `${memoryMiB / 1024}Gi` : `${memoryMiB}Mi` }),
  };
}

/** `cpu 4, memory 16Gi`. */
export function sizeText(pool: Sized): string {
  return Object.entries(unitSize(pool))
    .map(([resource, quantity]) => `${resource} ${quantity}`)
    .join(', ');
}

/** What replicas are counted in: those of a floor are nodes too. */
export function unitNoun({ kind }: Unit): 'node' | 'slice' {
  return kind === 'slice' ? 'slice' : 'node';
}

const WORDS: Readonly<Record<Unit['kind'], string>> = {
  node: 'one pause pod per node',
  slice: 'packed pause pods',
  floor: 'nodes that exist, used or not',
};

/** What one replica stands for, with its size. */
export function unitText(pool: Sized): string {
  const least = pool.unit.kind === 'floor' ? ' or more' : '';
  return `${WORDS[pool.unit.kind]} (${sizeText(pool)}${least})`;
}
