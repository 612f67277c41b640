import { LAST_TIME, recordable } from '../basics/record-limits';
import type { HeadroomConfig } from '../config/config';
import { boostUntil } from '../record/additions';
import { type AlarmRecord, entryOf, type HeadroomRecord, type ShareOf, type ShareRecord } from '../record/record';
import { endsOf } from '../windows/edges';
import { occurrenceKey } from './occurrence-key';
import { wantedOccurrences } from './occurrences';

/** More than clocks differ by: a function that is behind must not count again. */
const KEPT_FOR_MS = 300_000;
/** Two for each window that a NodePool may have, and for each peak. */
const MAX_SHARES = 74;

/** The record with what each share is taken of: counted once, when its window, peak, alarm or override opens. */
export function countShares(
  record: HeadroomRecord,
  pool: HeadroomConfig,
  now: number,
  replicas: number | undefined,
): { readonly record: HeadroomRecord; readonly isUncounted: boolean } {
  const counted: ShareOf | undefined = replicas === undefined ? undefined : { replicas, at: now };
  let isUncounted = false;
  const of = <T extends ShareOf>(known: T | undefined, make: (one: ShareOf) => T): T | undefined => {
    const one = known ?? (counted && make(counted));
    isUncounted ||= one === undefined;
    return one;
  };
  const { shares: before = {}, override, ...rest } = record;
  const shares: Record<string, ShareRecord> = { ...before };
  for (const { window, start } of wantedOccurrences(record, pool, now)) {
    if (window.share === undefined) continue;
    const key = occurrenceKey(window, start);
    const until = recordable(endsOf(window).next(start) ?? LAST_TIME);
    const one = of(entryOf(before, key), (share) => ({ ...share, until }));
    // A deploy or an edit may have moved the end while the window is open.
    if (one) shares[key] = { ...one, until: Math.max(one.until, until) };
  }
  const standing = Object.entries(shares)
    .filter(([, { until }]) => until + KEPT_FOR_MS > now)
    .sort(([, a], [, b]) => b.at - a.at)
    .slice(0, MAX_SHARES);
  const alarms = Object.entries(record.alarms).map(([name, { of: known, ...alarm }]): [string, AlarmRecord] => {
    const config = pool.alarms.find(({ alarmName, share }) => alarmName === name && share !== undefined);
    const until = config && boostUntil(config, alarm);
    const one = until === undefined || until <= now ? undefined : of(known, (share) => share);
    return [name, one ? { ...alarm, of: one } : alarm];
  });
  const overridden = override?.share === undefined ? undefined : of(override.of, (share) => share);
  return {
    record: {
      ...rest,
      ...(override && { override: { ...override, ...(overridden && { of: overridden }) } }),
      alarms: Object.fromEntries(alarms),
      ...(standing.length > 0 && { shares: Object.fromEntries(standing) }),
    },
    isUncounted,
  };
}
