/**
 * The offset of a time zone by way of `TZ`. V8 needs 0.2 ms for it, and more than 20 ms for the first use of
 * `Intl.DateTimeFormat`, which would be the largest part of a cold start.
 *
 * Zero counts as unknown: an unknown zone, or a process that cannot set `TZ` (a worker thread), gives UTC.
 */
export function hostOffset(timezone: string, instant: number): number | undefined {
  const own = process.env.TZ;
  process.env.TZ = timezone;
  try {
    const minutes = new Date(instant).getTimezoneOffset();
    return minutes === 0 ? undefined : -minutes * 60_000;
  } finally {
    if (own === undefined) delete process.env.TZ;
    else process.env.TZ = own;
  }
}
