import type { HeadroomConfig } from '../../../../shared/core/config/config';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import { EMPTY_RECORD, type HeadroomRecord } from '../../../../shared/core/record/record';
import { writeRecord } from '../../../../shared/core/record/record-codec';
import { configOf } from '../../../fakes/fake-runtime';

export const OPTIONS = { points: 100, isFiring: () => false };
export const LUNCH = 'lunch@2026-11-17T02:30:00.000Z';

export const seoul = (time: string) => Date.parse(`2026-11-17T${time}:00+09:00`);

/** A NodePool with a lunch of this size, or without one. */
export function poolWith(unit: string, max: number, size?: string): HeadroomConfig {
  const lunch = `{name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, ${size}}`;
  const schedules = size === undefined ? '' : lunch;
  const text = `  web:\n    max: ${max}\n    leadTime: 5m\n    unit: ${unit}\n    schedules: [${schedules}]\n`;
  return configOf(text).headrooms[0] as HeadroomConfig;
}

/** A headroom's Deployment with this record. */
export function shown(replicas: number, ready: number, record: Partial<HeadroomRecord> = {}) {
  return { replicas, ready, annotations: { [ANNOTATIONS.record]: writeRecord({ ...EMPTY_RECORD, ...record }) } };
}
