import { durationText } from '../../shared/core/basics/duration';

/** `in 1 h 50 min`, `12 s ago`, `now`; the farther away, the coarser. */
export function relative(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1_000);
  if (seconds === 0) return 'now';
  return seconds > 0 ? `in ${coarse(seconds)}` : `${coarse(-seconds)} ago`;
}

/** At most two units: `1 h 50 min`, `2 d 3 h`, `52 s`. */
export function coarse(seconds: number): string {
  const step = seconds >= 86_400 ? 3_600 : seconds >= 3_600 ? 60 : 1;
  return durationText(Math.round(seconds / step) * step);
}
