import { doubling } from '../../core/basics/retry';
import type { Sleep } from '../../core/ports/ports';

const [FIRST_MS, MAX_MS] = [40, 1_000];
/** 40 ms, 80 ms, ... up to a second, each with full jitter, so that racing writers drift apart. */
export const jitteredSleep: Sleep = (attempt) => sleep(Math.random() * doubling(FIRST_MS, attempt, MAX_MS));

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
