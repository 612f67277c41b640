import type { HeadroomConfig } from '../config/config';
import { type Decided, lastDecided } from '../record/last-decided';
import type { HeadroomRecord } from '../record/record';

/** The last decided size: a headroom does not shrink below it while something cannot be read. */
export interface Held {
  readonly replicas: number;
  /** Why, if not because of the record. */
  readonly because?: string;
}

interface Unread {
  readonly current: Decided | undefined;
  readonly quarantined: string | undefined;
  /** Why there is no count. Without one nothing may shrink: nodes that go now would be missing from it later. */
  readonly uncountable?: string | undefined;
}

export function heldSize(
  record: HeadroomRecord,
  pool: HeadroomConfig,
  { current, quarantined, uncountable }: Unread,
): Held | undefined {
  const firing = Object.keys(record.alarms).find((name) => isForeignAlarm(name, record, pool));
  if (quarantined === undefined && firing === undefined && uncountable === undefined) return undefined;
  const replicas = current ? lastDecided(current, pool) : 0;
  if (uncountable !== undefined) return { replicas, because: uncountable };
  return { replicas, ...(firing !== undefined && { because: `${firing} is in ALARM and not in this config` }) };
}

/** Of a deployed config: what it adds is not known here. */
function isForeignAlarm(name: string, { alarms }: HeadroomRecord, pool: HeadroomConfig): boolean {
  return alarms[name]?.state === 'ALARM' && !pool.alarms.some(({ alarmName }) => alarmName === name);
}
