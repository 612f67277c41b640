import { alarmStateChange } from './alarm-state-change';
import { capacityReservation } from './capacity-reservation';
import type { EventSource } from './event-source';
import { healthScheduledChange } from './health-scheduled-change';
import { deploy, heartbeat, windowEdge } from './heartbeat-and-edges';
import { instanceStateChange } from './instance-state-change';
import { rebalanceRecommendation } from './rebalance-recommendation';
import { spotInterruption } from './spot-interruption';

/**
 * Every event that Headstart reads. One line here registers a file of this folder: the parser, the
 * EventBridge rules, the values of `interruptions.on` and the table in the docs are derived from it.
 */
export const EVENT_SOURCES: readonly EventSource[] = [
  alarmStateChange,
  capacityReservation,
  healthScheduledChange,
  instanceStateChange,
  rebalanceRecommendation,
  spotInterruption,
  deploy,
  heartbeat,
  windowEdge,
];
