import { toLocal } from '../windows/zone';

/** `11:30`. */
export function localClock(timezone: string, instant: number): string {
  return new Date(toLocal(timezone, instant)).toISOString().slice(11, 16);
}
