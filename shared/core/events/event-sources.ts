/**
 * Every event that Headstart reads. One line here registers a file of `sources/`: the parser, the
 * EventBridge rules, the words of `interruptions.on` and the table in the docs follow by themselves.
 */
export { alarmStateChange } from './sources/alarm-state-change';
export { capacityReservation } from './sources/capacity-reservation';
export { healthScheduledChange } from './sources/health-scheduled-change';
export { instanceStateChange } from './sources/instance-state-change';
export { rebalanceRecommendation } from './sources/rebalance-recommendation';
export { spotInterruption } from './sources/spot-interruption';
export { deploy, heartbeat, windowEdge } from './sources/ticks';
