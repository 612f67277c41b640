import { alarmStateChange } from '../../../shared/core/events/alarm-state-change';
import type { AlarmState } from '../../../shared/core/events/event';
import {
  deploy as deploySource,
  heartbeat as heartbeatSource,
  tickEvent,
} from '../../../shared/core/events/heartbeat-and-edges';
import { instanceStateChange } from '../../../shared/core/events/instance-state-change';
import { spotInterruption } from '../../../shared/core/events/spot-interruption';

/** Text of a moment as AWS writes it in events. */
function timeOf(at: number): string {
  return new Date(at).toISOString();
}

/** The heartbeat, as EventBridge Scheduler sends it. */
export function heartbeat(at: number) {
  return tickEvent(heartbeatSource, timeOf(at));
}

/** What the last resource of a deploy sends. */
export function deployed(at: number) {
  return tickEvent(deploySource, timeOf(at));
}

/** An alarm that has just moved to another state. */
export function alarmChange(alarmName: string, state: AlarmState, previous: AlarmState, at: number) {
  return {
    version: '0',
    id: '2dde0eb1-528b-d2d5-9ca6-6d590caf2329',
    'detail-type': alarmStateChange.detailType,
    source: alarmStateChange.source,
    account: '123456789012',
    time: timeOf(at),
    region: 'eu-west-1',
    resources: [`arn:aws:cloudwatch:eu-west-1:123456789012:alarm:${alarmName}`],
    detail: {
      alarmName,
      state: {
        value: state,
        timestamp: timeOf(at),
        reason: 'Threshold Crossed',
      },
      previousState: { value: previous, timestamp: timeOf(at - 60_000) },
    },
  };
}

/** The notice that EC2 takes a spot instance back. */
export function spotWarning(instanceId: string, at: number) {
  return instanceEvent(spotInterruption, { 'instance-id': instanceId, 'instance-action': 'terminate' }, at);
}

/** The news that an instance stops or ends. */
export function stateChange(instanceId: string, state: 'shutting-down' | 'terminated', at: number) {
  return instanceEvent(instanceStateChange, { 'instance-id': instanceId, state }, at);
}

/** An event of S3 that announces a peak, as the rule of that name hands it to the queue. */
export function announcement(headroom: string, event: string, at: number) {
  // EventBridge knows whole seconds.
  const second = Math.floor(at / 1_000) * 1_000;
  return {
    announced: { headroom, event, cancel: false },
    ingestedAt: timeOf(second),
    event: instanceEvent({ source: 'aws.s3', detailType: 'Object Created' }, { bucket: { name: 'feeds' } }, second),
  };
}

/** Events as SQS hands them to the function. */
export function batch(...events: readonly object[]) {
  return { Records: events.map((event, index) => ({ messageId: `${index}`, body: JSON.stringify(event) })) };
}

function instanceEvent(type: { source: string; detailType: string }, detail: object, at: number) {
  return {
    version: '0',
    id: '12345678-1234-1234-1234-123456789012',
    'detail-type': type.detailType,
    source: type.source,
    account: '123456789012',
    time: timeOf(at),
    region: 'eu-west-1',
    resources: [],
    detail,
  };
}
