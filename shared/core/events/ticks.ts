import type { EventType } from './aws-detail-types';
import type { TickEvent } from './event';
import type { EventSource } from './event-source';

/** A window edge, sent by EventBridge Scheduler. */
export const WINDOW_EDGE = {
  source: 'headstart.schedule',
  detailType: 'Headstart Window Edge',
} as const satisfies EventType;

/** The heartbeat, sent by EventBridge Scheduler. */
export const HEARTBEAT = {
  source: 'headstart.schedule',
  detailType: 'Headstart Heartbeat',
} as const satisfies EventType;

/** The end of a deploy, sent by a custom resource. */
export const DEPLOY = { source: 'headstart.deploy', detailType: 'Headstart Deploy' } as const satisfies EventType;

const tick = (type: EventType, trigger: TickEvent['trigger']): EventSource => ({
  ...type,
  read: (_detail, at) => ({ kind: 'tick', trigger, ...(!Number.isNaN(at) && { at }) }),
});

export const windowEdge = tick(WINDOW_EDGE, 'edge');
export const heartbeat = tick(HEARTBEAT, 'heartbeat');
export const deploy = tick(DEPLOY, 'deploy');

/** The event that our own senders send; the parser reads it back. */
export function tickEvent(type: EventType, time: string, detail: Readonly<Record<string, string>> = {}) {
  return { source: type.source, 'detail-type': type.detailType, time, detail };
}
