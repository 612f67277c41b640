import type { AlarmConfig, HeadroomConfig } from '../../../shared/core/config/config';
import { MINUTE } from './minute-windows';
import type { WrittenAlarm, WrittenRecord } from './written-record';

const HOUR = 60 * MINUTE;

type Counts = Pick<WrittenRecord, 'counts' | 'override' | 'alarms'>;
type CountFacts = NonNullable<WrittenAlarm['counted']>;

/** Counts that windows, overrides and alarms have at a moment: while one of them is added to, nobody counts again. */
export interface StandingCounts {
  readonly lowest: CountFacts | undefined;
  readonly isInForce: boolean;
}

export function standingAt(
  { counts, override, alarms }: Counts,
  pool: Pick<HeadroomConfig, 'alarms'>,
  since: number,
  own?: string,
): StandingCounts {
  const { counted, until = '' } = override ?? {};
  const added = [...Object.values(counts), ...(counted ? [{ ...counted, until }] : [])];
  const ofAlarms = Object.entries(alarms).flatMap(([name, known]) =>
    known.counted && name !== own ? [{ ...known.counted, ends: endOf(known, alarmOf(pool, name)) }] : [],
  );
  const inForce: readonly CountFacts[] = [
    ...added.filter((one) => Date.parse(one.until) >= since),
    ...ofAlarms.filter(({ ends }) => ends >= since),
  ];
  const all = [...inForce, ...ofAlarms.filter(({ ends }) => ends < since && ends + HOUR >= since)];
  return { lowest: all.toSorted((a, b) => a.nodes - b.nodes)[0], isInForce: inForce.length > 0 };
}

function alarmOf({ alarms }: Pick<HeadroomConfig, 'alarms'>, name: string): AlarmConfig | undefined {
  return alarms.find(({ alarmName }) => alarmName === name);
}

/** When it adds nothing any more. */
function endOf({ state, at, ended }: WrittenAlarm, alarm: AlarmConfig | undefined): number {
  if (state === 'ALARM') return Number.POSITIVE_INFINITY;
  return ended === undefined ? Date.parse(at) : Date.parse(ended) + (alarm?.holdSeconds ?? 0) * 1_000;
}

/** An alarm that adds nodes to a count now; without one while nobody could count, and if it rang since, not yet again. */
export interface AddingAlarm {
  readonly alarm: AlarmConfig;
  readonly counted: CountFacts | undefined;
  readonly waits: boolean;
  readonly beganAt: number;
}

export function addingAlarms(
  pool: Pick<HeadroomConfig, 'alarms'>,
  record: Counts,
  now: number,
): readonly AddingAlarm[] {
  return pool.alarms.flatMap((alarm) => {
    const known = Object.hasOwn(record.alarms, alarm.alarmName) ? record.alarms[alarm.alarmName] : undefined;
    const isOn = known && (known.state === 'ALARM' || (known.ended !== undefined && endOf(known, alarm) > now));
    if (!alarm.relative || !isOn) return [];
    const { state, at, ended = at, counted: own } = known;
    const beganAt = Date.parse(state === 'ALARM' ? at : ended);
    if (own) return [{ alarm, counted: own, waits: state === 'ALARM' && Date.parse(own.at) < beganAt, beganAt }];
    const { lowest, isInForce } = standingAt(record, pool, beganAt, alarm.alarmName);
    return [{ alarm, counted: isInForce ? lowest : undefined, waits: !isInForce, beganAt }];
  });
}

export interface CountedWrite {
  readonly pool: HeadroomConfig;
  readonly before: Counts;
  readonly after: Counts;
  readonly now: number;
  /** Whether the NodeClaims may have been unreadable. */
  readonly isExcused: boolean;
}

/** The count of an alarm is kept, and never higher than any that stood when it went to ALARM. */
export function wrongAlarmCounts(write: CountedWrite): string | undefined {
  const { pool, before, after, now } = write;
  for (const [name, { counted }] of Object.entries(after.alarms)) {
    const known = before.alarms[name]?.counted;
    const adding = addingAlarms(pool, withKnownCounts(write), now).find(({ alarm }) => alarm.alarmName === name);
    const isKept = JSON.stringify(known) === JSON.stringify(counted);
    const wrong = adding?.waits || (adding && !known) ? wrongNewCount(name, adding, write) : undefined;
    if (wrong) return wrong;
    if (!isKept && !adding?.waits && known)
      return `changed the count of ${name} from ${known.nodes} to ${counted?.nodes}`;
    if (!isKept && !adding) return `counted for ${name}, which adds nothing`;
  }
  return undefined;
}

function wrongNewCount(
  name: string,
  { beganAt, counted: known }: AddingAlarm,
  write: CountedWrite,
): string | undefined {
  const { pool, before, after, now, isExcused } = write;
  const counted = after.alarms[name]?.counted;
  const own = before.alarms[name]?.counted;
  if (!counted || (own && counted.at === own.at)) return isExcused ? undefined : `${name} was not counted`;
  if (Date.parse(counted.at) !== Math.max(now, beganAt)) return `counted for ${name} as of ${counted.at}`;
  if (counted.assumed !== undefined) return undefined;
  const stood = standingAt(withKnownCounts(write), pool, beganAt, name);
  const stands = standingAt({ ...withKnownCounts(write), counts: after.counts }, pool, beganAt, name);
  const lowest = Math.min(...[own, known, stood.lowest].map((one) => one?.nodes ?? Number.POSITIVE_INFINITY));
  if (counted.nodes > lowest) return `${name} adds to ${counted.nodes} nodes, and a count that stood has ${lowest}`;
  const inherited = [stood, stands].flatMap(({ lowest: one, isInForce }) => (isInForce && one ? [one.nodes] : []));
  return own || inherited.length === 0 || inherited.includes(counted.nodes)
    ? undefined
    : `${name} adds to ${counted.nodes} nodes, and does not inherit ${inherited[0]}`;
}

/** The states as they are now, with the counts as they were. */
export function withKnownCounts({ before, after }: Pick<CountedWrite, 'before' | 'after'>): Counts {
  const alarms = Object.entries(after.alarms).map(([name, { counted: _new, ...state }]) => {
    const known = before.alarms[name]?.counted;
    return [name, { ...state, ...(known && { counted: known }) }] as const;
  });
  return {
    counts: before.counts,
    alarms: Object.fromEntries(alarms),
    ...(after.override && { override: after.override }),
  };
}
