/**
 * Every event that Headstart reads. One line here registers a file of this folder: the parser, the
 * EventBridge rules, the values of `interruptions.on` and the table in the docs are derived from it.
 */
export { alarmStateChange } from './alarm-state-change';
export { capacityReservation } from './capacity-reservation';
export { healthScheduledChange } from './health-scheduled-change';
export { instanceStateChange } from './instance-state-change';
export { rebalanceRecommendation } from './rebalance-recommendation';
export { spotInterruption } from './spot-interruption';
export { deploy, heartbeat, windowEdge } from './ticks';
