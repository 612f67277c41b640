import { utcMinute } from '../core/basics/duration';
import type { HeadroomConfig } from '../core/config/config';
import { occurrenceOf, requestTimesOf } from '../core/occurrences/occurrences';
import { boostUntil } from '../core/record/additions';
import { entryOf, type HeadroomRecord } from '../core/record/record';
import { count } from './amounts';
import { nounOf } from './headroom-figures';
import type { Planned } from './size-text';

const MAX_NAMED = 2;

/** What happens at a moment at which the size changes: `evening closes 2026-11-17T13:30Z`. */
export function edgeText(pool: HeadroomConfig, record: HeadroomRecord, at: number): string {
  const edges = [...windowEdges(pool, record, at), ...recordedEnds(pool, record, at)];
  const more = edges.length > MAX_NAMED ? [`${edges.length - MAX_NAMED} more`] : [];
  return [...edges.slice(0, MAX_NAMED), ...more].join(', ') || `the size changes ${utcMinute(at)}`;
}

function windowEdges(pool: HeadroomConfig, record: HeadroomRecord, at: number): string[] {
  const times = requestTimesOf(pool, record);
  return pool.windows.flatMap((window) => {
    const [before, after] = [at - 1, at].map((moment) => occurrenceOf(window, moment, times));
    if (before && after?.start !== before.start) return [`${window.name} closes ${utcMinute(at)}`];
    if (before || !after) return [];
    const requested = after.start > at ? `, nodes requested ${utcMinute(at)}` : '';
    return [`${window.name} opens ${utcMinute(after.start)}${requested}`];
  });
}

function recordedEnds({ alarms }: HeadroomConfig, { override, ...record }: HeadroomRecord, at: number): string[] {
  const isOver = (until: number | undefined) => until === at;
  const held = alarms.filter((alarm) => {
    const known = entryOf(record.alarms, alarm.alarmName);
    return known && isOver(boostUntil(alarm, known));
  });
  const ends = [
    ...held.map(({ name }) => `alarm ${name}`),
    ...(Object.values(record.surges).some(({ until }) => isOver(until)) ? ['interruption surge'] : []),
    ...(override && isOver(override.until) ? [`override by ${override.by}`] : []),
  ];
  return ends.map((what) => `${what} ends ${utcMinute(at)}`);
}

/** `6 nodes`, `6 more nodes`, `3 + 6 more nodes`, or the share that will be counted. */
export function plannedUnits({ replicas, uncounted, lacks = [] }: Planned, pool: HeadroomConfig): string {
  const noun = nounOf(pool);
  const counted = [...(uncounted === undefined ? [] : [count(uncounted, `more ${noun}`)]), ...lacks];
  if (counted.length === 0) return count(replicas, noun);
  return [...(replicas > 0 ? [String(replicas)] : []), ...counted].join(' + ');
}
