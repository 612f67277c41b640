import type { AlarmConfig, HeadroomConfig, InterruptionsConfig } from '../config/config';
import { type AlarmRecord, entryOf, type HeadroomRecord, type SurgeRecord } from './record';

/** An alarm that adds replicas now, and until when. */
export interface Boost {
  readonly alarm: AlarmConfig;
  readonly until: number;
}

export function boostsNow({ alarms }: HeadroomConfig, record: HeadroomRecord, now: number): readonly Boost[] {
  return alarms.flatMap((alarm) => {
    const known = entryOf(record.alarms, alarm.alarmName);
    const until = known && boostUntil(alarm, known);
    return until === undefined || until <= now ? [] : [{ alarm, until }];
  });
}

/** No end while in ALARM; afterwards the hold counts from the moment at which the alarm left ALARM. */
export function boostUntil(alarm: AlarmConfig, known: AlarmRecord): number | undefined {
  if (known.state === 'ALARM') return Number.POSITIVE_INFINITY;
  return known.ended === undefined ? undefined : known.ended + alarm.holdSeconds * 1_000;
}

/** The surges that count now, and what they add together. */
export function surgesNow(
  { interruptions }: HeadroomConfig,
  record: HeadroomRecord,
  now: number,
): { readonly surges: readonly SurgeRecord[]; readonly add: number } {
  const surges = interruptions ? Object.values(record.surges).filter(({ until }) => until > now) : [];
  return { surges, add: interruptions ? Math.min(surges.length * interruptions.surge, interruptions.max) : 0 };
}

/** How many nodes can count before `interruptions.max` is reached; no more are stored. */
export function countableNodes({ surge, max }: InterruptionsConfig): number {
  return surge === 0 ? 0 : Math.ceil(max / surge);
}

/** What alarms and interruptions add now, before `max` bounds it. */
export function additionsNow(pool: HeadroomConfig, record: HeadroomRecord, now: number): number {
  const boosts = boostsNow(pool, record, now).reduce((total, { alarm }) => total + alarm.add, 0);
  return boosts + surgesNow(pool, record, now).add;
}
