/** Pseudo-random numbers in [0, 1), the same for the same seed. */
export type Random = () => number;

/** Mulberry32: small, fast, and good enough for a simulation. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A separate seed for each part of a simulation, so that one part's draws do not change another's. */
export function seedFor(seed: number, part: string): number {
  let hash = seed >>> 0;
  for (let i = 0; i < part.length; i += 1) hash = Math.imul(hash ^ part.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}
