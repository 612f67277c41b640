import type { AlarmConfig, HeadroomConfig } from '../config/config';
import { alarmCount, boostsNow } from '../record/additions';
import { type AlarmRecord, entryOf, type HeadroomRecord, type NodeCount } from '../record/record';
import { countIn, inheritedCount, lowest, type Standing, standingCounts } from './inherited-counts';

/** The count that an alarm adds nodes to now. */
interface AlarmPart {
  readonly alarm: AlarmConfig;
  /** `undefined` while the nodes are not counted. */
  readonly counted: NodeCount | undefined;
  readonly isUncounted: boolean;
}

export function alarmParts(record: HeadroomRecord, pool: HeadroomConfig, now: number): readonly AlarmPart[] {
  return relativeAlarms(record, pool, now).map(({ alarm, own, isOld, standing }) => {
    const counted = own ?? inheritedCount(standing);
    return { alarm, counted, isUncounted: isOld || counted === undefined };
  });
}

/**
 * Records the count of every alarm that adds nodes; `count` supplies missing ones. An alarm that has gone to ALARM since
 * it was counted is counted again, and the lower count stands.
 */
export function recordAlarmCounts(
  record: HeadroomRecord,
  pool: HeadroomConfig,
  now: number,
  count?: NodeCount,
): HeadroomRecord {
  const counted = relativeAlarms(record, pool, now).flatMap((one): [string, AlarmRecord][] => {
    const nodes = newCount(one, count);
    // This time says that it was counted since it went to ALARM.
    const at = Math.max(now, one.beganAt);
    return nodes ? [[one.alarm.alarmName, { ...one.known, counted: { ...countIn(nodes), at } }]] : [];
  });
  return counted.length === 0 ? record : { ...record, alarms: { ...record.alarms, ...Object.fromEntries(counted) } };
}

function newCount({ own, isOld, standing }: RelativeAlarm, count: NodeCount | undefined): NodeCount | undefined {
  if (!own) return inheritedCount(standing, count);
  return isOld && count && count.assumed === undefined ? lowest([count, own, standing.lowest]) : undefined;
}

interface RelativeAlarm {
  readonly alarm: AlarmConfig;
  readonly known: AlarmRecord;
  /** When it went to ALARM, or when it left it if nobody saw that. */
  readonly beganAt: number;
  readonly own: NodeCount | undefined;
  /** Its count is from before. */
  readonly isOld: boolean;
  /** The counts of the others. */
  readonly standing: Standing;
}

function relativeAlarms(record: HeadroomRecord, pool: HeadroomConfig, now: number): RelativeAlarm[] {
  return boostsNow(pool, record, now).flatMap(({ alarm }) => {
    const known = entryOf(record.alarms, alarm.alarmName);
    if (!alarm.relative || !known) return [];
    const { state, at, ended = at } = known;
    const own = alarmCount(alarm, known)?.counted;
    const beganAt = state === 'ALARM' ? at : ended;
    const isOld = state === 'ALARM' && own !== undefined && own.at < at;
    const standing = standingCounts(record, pool, beganAt, alarm.alarmName);
    return [{ alarm, known, beganAt, own, isOld, standing }];
  });
}
