import type { HeadroomConfig } from '../config/config';
import { alarmCount } from '../record/additions';
import type { HeadroomRecord, NodeCount } from '../record/record';

/** The counts that stand at a moment. */
export interface Standing {
  readonly lowest?: NodeCount | undefined;
  /** One of them is still added to, so that the nodes need not be counted again. */
  readonly isInForce: boolean;
}

/**
 * What a window, an override or an alarm inherits, so that the nodes that Headstart has added are never counted: the lowest
 * count that stands. Where only those of alarms stand whose hold has ended, the lower of them and a new count.
 */
export function standingCounts(
  { counts = {}, override, alarms }: HeadroomRecord,
  pool: Pick<HeadroomConfig, 'alarms'>,
  since: number,
  ownAlarm?: string,
): Standing {
  const ofAlarms = Object.entries(alarms).flatMap(([name, known]) => {
    const count = alarmCount(
      pool.alarms.find(({ alarmName }) => alarmName === name),
      known,
    );
    return count && name !== ownAlarm && count.keptUntil >= since ? [count] : [];
  });
  const inForce: readonly NodeCount[] = [
    ...Object.values(counts).filter(({ until }) => until >= since),
    ...(override?.counted && override.until >= since ? [override.counted] : []),
    ...ofAlarms.filter(({ until }) => until >= since).map(({ counted }) => counted),
  ];
  return { lowest: lowest([...inForce, ...ofAlarms.map(({ counted }) => counted)]), isInForce: inForce.length > 0 };
}

/**
 * What a part without a count of its own adds to; `count` supplies a missing one. An assumed count stands for one that was
 * lost, which may have been lower than the one that would be inherited.
 */
export function inheritedCount({ lowest: inherited, isInForce }: Standing, count?: NodeCount): NodeCount | undefined {
  if (count?.assumed !== undefined) return lowest([inherited, count]);
  return isInForce ? inherited : count && lowest([count, inherited]);
}

export function countIn({ nodes, at, assumed }: NodeCount): NodeCount {
  return { nodes, at, ...(assumed !== undefined && { assumed }) };
}

/** Of equal ones the first. */
export function lowest(counts: readonly (NodeCount | undefined)[]): NodeCount | undefined {
  return counts.reduce((low, count) => (low && (!count || low.nodes <= count.nodes) ? low : count), undefined);
}
