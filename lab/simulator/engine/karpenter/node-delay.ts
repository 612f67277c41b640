import { seededRandom, seedFor } from '../../deterministic/seeded-random';

/** How long a node takes from its order until it is ready: log-normal, or without a spread exactly the median. */
export interface NodeDelay {
  readonly medianSeconds: number;
  /** 0.35 puts 19 of 20 nodes below 1.8 times the median. */
  readonly spread: number;
}

/** Every node takes at least this long, most 10 to 20 % longer, none over a third longer. */
export function atLeast(seconds: number): NodeDelay {
  return { medianSeconds: seconds * 1.15, spread: 0.05 };
}

/** The median; two thirds of the nodes are within a fifth of it. */
export function around(seconds: number): NodeDelay {
  return { medianSeconds: seconds, spread: 0.2 };
}

/** The delay of one node in milliseconds, determined by seed and order alone. */
export function nodeDelay(delay: NodeDelay, seed: number, order: string): number {
  const random = seededRandom(seedFor(seed, `delay of ${order}`));
  // Discard the first draw, which is similar for similar seeds.
  random();
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const factor = Math.exp(delay.spread * Math.max(-2.5, Math.min(2.5, normal)));
  return Math.round(delay.medianSeconds * 1000 * factor);
}
