/** The middle of some figures. */
export function median(figures: readonly number[]): number {
  return quantile(figures, 0.5);
}

/** The figure below which that share of them lies. */
export function quantile(figures: readonly number[], share: number): number {
  const sorted = [...figures].sort((a, b) => a - b);
  const found = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  if (found === undefined) throw new Error('there are no figures');
  return found;
}

export function worst(figures: readonly number[]): number {
  return quantile(figures, 1);
}

/** Milliseconds for people. */
export function time(ms: number): string {
  if (ms === Number.POSITIVE_INFINITY) return 'never';
  return ms < 1000 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

/** How many times as long. */
export function ratio(long: number, short: number): string {
  const times = long / short;
  if (short === Number.POSITIVE_INFINITY) return '–';
  return `${times < 10 ? times.toFixed(1) : Math.round(times)}×`;
}
