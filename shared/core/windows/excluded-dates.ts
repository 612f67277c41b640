import type { CronWindow } from './window';

/** Whether the starts of a local day do not count; the day as the milliseconds of its midnight. */
export function excludes({ excludeDates }: CronWindow, day: number): boolean {
  return excludeDates.length > 0 && excludeDates.includes(new Date(day).toISOString().slice(0, 10));
}
