import { MAX_SHARE } from './record-limits';

/** `25%`. */
const SHARE = /^([1-9]\d{0,3})%$/;

/** The share that a size is, in per cent; `undefined` for anything else. */
export function shareIn(size: unknown): number | undefined {
  const percent = typeof size === 'string' ? Number(SHARE.exec(size)?.[1]) : Number.NaN;
  return percent <= MAX_SHARE ? percent : undefined;
}
