import type { Pause } from '../core/ports/ports';

const MAX_MS = 1_000;

/** 20 ms, 40 ms, ... up to a second, each with full jitter, so that racing writers drift apart. */
export const jitteredPause: Pause = (attempt) =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(MAX_MS, 20 * 2 ** attempt)));
