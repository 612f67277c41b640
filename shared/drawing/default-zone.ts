import type { Window } from '../core/windows/window';

/** The zone that most windows are written in, the first of them where several tie; UTC without windows. */
export function defaultZone(windows: readonly Window[]): string {
  const counts = new Map<string, number>();
  for (const { timezone } of windows) counts.set(timezone, (counts.get(timezone) ?? 0) + 1);
  return [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best), ['UTC', 0] as [string, number])[0];
}
