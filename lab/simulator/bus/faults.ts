import type { Random } from '../deterministic/seeded-random';

/** Fault rates, from 0 to 1. */
export interface Faults {
  readonly lost: number;
  readonly doubled: number;
  readonly late: number;
  /** Share of the calls to the Kubernetes API that fail. */
  readonly apiErrors: number;
}

export const NO_FAULTS: Faults = { lost: 0, doubled: 0, late: 0, apiErrors: 0 };

const MINUTE = 60_000;

/** When an event arrives: never, once, twice, or minutes late. */
export function arrivals(faults: Faults, random: Random, at: number): readonly number[] {
  const { lost, doubled, late } = faults;
  if (lost + doubled + late === 0) return [at];
  const draw = random();
  if (draw < lost) return [];
  if (draw < lost + doubled) return [at, at + Math.floor(random() * MINUTE)];
  if (draw < lost + doubled + late) return [at + MINUTE + Math.floor(random() * 9 * MINUTE)];
  return [at];
}
