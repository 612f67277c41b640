import type { TickEvent } from './event';
import type { EventSource } from './event-source';

const tick = (source: string, detailType: string, trigger: TickEvent['trigger']): EventSource => ({
  source,
  detailType,
  read: (_detail, at) => ({ kind: 'tick', trigger, ...(!Number.isNaN(at) && { at }) }),
});

/** Sent by EventBridge Scheduler when a window opens (lead time included) or closes. */
export const windowEdge = tick('headstart.schedule', 'Headstart Window Edge', 'edge');
/** Sent by EventBridge Scheduler, every minute by default. */
export const heartbeat = tick('headstart.schedule', 'Headstart Heartbeat', 'heartbeat');
/** Sent by a custom resource at the end of a deploy. */
export const deploy = tick('headstart.deploy', 'Headstart Deploy', 'deploy');

/** The event that our own senders send; the parser reads it back. */
export function tickEvent(
  { source, detailType }: EventSource,
  time: string,
  detail: Readonly<Record<string, string>> = {},
) {
  return { source, 'detail-type': detailType, time, detail };
}
