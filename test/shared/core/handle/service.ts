import type { QueueMessage } from '../../../../shared/core/events/deliveries';
import { handle } from '../../../../shared/core/handle';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import { readRecord } from '../../../../shared/core/record/record-codec';
import type { BatchResponse } from '../../../../shared/core/respond';
import { loadEvent } from '../../../events/load-event';
import { configOf, FakeRuntime } from '../../../fakes/fake-runtime';

export const NOON = Date.parse('2026-11-16T03:00:00Z');
export const NIGHT = Date.parse('2026-11-16T12:00:00Z');
export const INSTANCE = 'i-0a1b2c3d4e5f60001';
export const OTHER = 'i-0a1b2c3d4e5f60002';

export const config = configOf(`
  service:
    max: 12
    leadTime: 5m
    schedules: [{name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: 6}]
    alarms: [{alarmName: p95-high, add: 3, hold: 10m}, {alarmName: checkout-unhappy, add: 1}]
    interruptions: {surge: 1, max: 4, hold: 10m, on: [spot, rebalance, capacityReservation, health, stateChange]}
  batch:
    max: 5
    base: 1
    interruptions: {surge: 2, max: 4}
`);

/** A lunch window, two alarms, and a node of each of two NodePools. */
export function made(time = NOON): FakeRuntime {
  const service = new FakeRuntime(config, time);
  service.cluster.nodeClaims = [
    { instanceId: INSTANCE, nodePool: 'service', deleting: false },
    { instanceId: OTHER, nodePool: 'batch', deleting: false },
  ];
  return service;
}

export const size = (service: FakeRuntime, pool = 'service') => service.cluster.headroom(pool)?.replicas;
export const record = (service: FakeRuntime, pool = 'service') =>
  readRecord(service.cluster.headroom(pool)?.annotations[ANNOTATIONS.record]).record;
export const handleInterruptions = async (Records: readonly QueueMessage[], service: FakeRuntime) =>
  (await handle({ Records }, { ...service, ports: service.ports, accepts: 'interruption' })) as BatchResponse;
export const message = (event: unknown, messageId = 'm1') => ({ messageId, body: JSON.stringify(event) });

/** A tick that is delivered at its own time. */
export function tickNow(name: 'heartbeat' | 'window-edge' | 'deploy', { time }: FakeRuntime) {
  return loadEvent(name, { time: new Date(time).toISOString() });
}
