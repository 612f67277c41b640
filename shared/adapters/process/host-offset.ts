const HALF_YEAR = 182 * 86_400_000;

/**
 * The offset of a time zone by way of `TZ`. V8 needs 0.2 ms for it, and 12 ms for the first use of
 * `Intl.DateTimeFormat`, which would be a sixth of a cold start.
 *
 * Zero all year counts as unknown: an unknown zone, or a process that cannot set `TZ` (a worker thread), gives UTC.
 */
export function hostOffset(timezone: string, instant: number): number | undefined {
  const own = process.env.TZ;
  process.env.TZ = timezone;
  try {
    const minutes = new Date(instant).getTimezoneOffset();
    if (minutes === 0 && new Date(instant + HALF_YEAR).getTimezoneOffset() === 0) return undefined;
    return 0 - minutes * 60_000;
  } finally {
    if (own === undefined) delete process.env.TZ;
    else process.env.TZ = own;
  }
}
