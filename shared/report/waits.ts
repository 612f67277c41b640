import type { Span } from './figures';

/** When a pod was created, and after how many whole seconds it had a node. */
export interface PodWait {
  readonly at: number;
  readonly seconds: number;
}

/** Both ends are whole seconds, so that those who waited for less than one may show a difference of 1. */
export interface Waits {
  readonly pods: number;
  readonly underASecondAtLeast: number;
}

export function waitsIn(waits: readonly PodWait[], spans: readonly Span[]): Waits {
  const within = waits.filter(({ at }) => spans.some(({ from, to }) => at >= from && at < to));
  return { pods: within.length, underASecondAtLeast: within.filter(({ seconds }) => seconds <= 0).length };
}
