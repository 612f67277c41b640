import { EMPTY_RECORD, type HeadroomRecord, type Override } from '../../../../shared/core/record/record';
import { configOf } from '../../../fakes/fake-runtime';

export const NOW = Date.parse('2026-11-16T03:00:00Z');
export const LATER = Date.parse('2026-11-16T03:40:00Z');

const [service] = configOf(`
  service:
    base: 1
    max: 12
    leadTime: 5m
    schedules:
      - {name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: 6}
      - {name: brunch, timezone: Asia/Seoul, start: 0 10 * * *, end: 0 13 * * *, desiredReplicas: 4}
    alarms: [{alarmName: p95-high, add: 3, hold: 10m}]
    interruptions: {surge: 2, max: 5, hold: 10m}
`).headrooms;
if (!service) throw new Error('no pool');
export const pool = service;

export const order = (mode: Override['mode'], replicas: number, until = LATER): HeadroomRecord => ({
  ...EMPTY_RECORD,
  override: { mode, replicas, until, at: NOW, by: 'ana', reason: 'flash sale' },
});
export const alarm = (state: 'ALARM' | 'OK', ended?: number): HeadroomRecord => ({
  ...EMPTY_RECORD,
  alarms: { 'p95-high': { state, at: NOW - 60_000, ...(ended !== undefined && { ended }) } },
});
export const surges = (count: number, until = LATER): HeadroomRecord => ({
  ...EMPTY_RECORD,
  surges: Object.fromEntries(Array.from({ length: count }, (_, i) => [`i-${i}`, { cause: 'spot', until }])),
});

export const beforeWindows = Date.parse('2026-11-16T00:00:00Z');
