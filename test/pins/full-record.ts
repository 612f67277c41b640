import type { HeadroomRecord } from '../../shared/core/record/record';

const AT = Date.parse('2026-11-01T11:30:00Z');
const LATER = Date.parse('2026-11-01T13:30:00Z');

/** A record with every field that there is. */
export const FULL_RECORD: Required<Omit<HeadroomRecord, 'unknown'>> = {
  nodePool: 'web',
  override: {
    mode: 'addNodes',
    replicas: 3,
    counted: { nodes: 5, at: AT, assumed: 12 },
    share: 25,
    of: { replicas: 40, at: AT },
    until: LATER,
    at: AT,
    by: 'ana',
    reason: 'sale',
  },
  released: { at: AT, by: 'ana', reason: 'over' },
  alarms: { 'queue-deep': { state: 'OK', at: AT, ended: AT, of: { replicas: 40, at: AT } } },
  surges: { 'i-0a1b2c3d4e5f60001': { cause: 'spot', until: LATER } },
  counts: { 'lunch@2026-11-01T11:30:00Z': { nodes: 5, at: AT, assumed: 12, until: LATER } },
  shares: { 'lunch@2026-11-01T11:30:00Z': { replicas: 40, at: AT, until: LATER } },
  requests: { 'lunch@2026-11-01T11:30:00Z': { at: AT, nodes: 20, took: 2, ready: AT, why: 'limits' } },
  announced: { 'campaign spring-sale': { at: AT, from: AT, to: LATER } },
  takenUntil: AT,
  nodeStarts: { '2026-11-01T11:30:00Z/abcdef10': 55 },
};
