import type { AlarmConfig, HeadroomConfig, InterruptionsConfig } from '../config/config';
import { type AlarmRecord, entryOf, type HeadroomRecord, type NodeCount, type SurgeRecord } from './record';

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
export function boostUntil(alarm: Pick<AlarmConfig, 'holdSeconds'>, known: AlarmRecord): number | undefined {
  if (known.state === 'ALARM') return Number.POSITIVE_INFINITY;
  return known.ended === undefined ? undefined : known.ended + alarm.holdSeconds * 1_000;
}

/** How long after its hold Karpenter may take to remove the nodes that an alarm has added. */
const REMOVED_WITHIN_MS = 3_600_000;

/** The count that an alarm's `addNodes` adds to, and how long it stands. */
export interface AlarmCount {
  readonly counted: NodeCount;
  /** As long as the alarm adds nodes. */
  readonly until: number;
  /** Until then nodes that it added may still be there. */
  readonly keptUntil: number;
}

/** An alarm that the config no longer contains adds nothing, and its hold is not known. */
export function alarmCount(alarm: AlarmConfig | undefined, known: AlarmRecord): AlarmCount | undefined {
  const { counted, at, ended = at } = known;
  const { holdSeconds = 0 } = alarm ?? {};
  const last = ended + holdSeconds * 1_000 + REMOVED_WITHIN_MS;
  // It went to ALARM again when the count no longer stood.
  const isOver = counted && known.state === 'ALARM' && counted.at < at && last < at;
  if (!counted || isOver) return undefined;
  const until = boostUntil({ holdSeconds }, known) ?? ended;
  return { counted, until, keptUntil: until + REMOVED_WITHIN_MS };
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
