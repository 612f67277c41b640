import { hashText } from '../../../shared/core/basics/names';
import { alarmStateChange } from '../../../shared/core/events/alarm-state-change';
import type { AlarmState } from '../../../shared/core/events/event';
import type { EventSource } from '../../../shared/core/events/event-source';
import { rebalanceRecommendation } from '../../../shared/core/events/rebalance-recommendation';
import { spotInterruption } from '../../../shared/core/events/spot-interruption';

export interface Origin {
  readonly region: string;
  readonly account: string;
}

export interface AlarmChange {
  readonly alarmName: string;
  readonly state: AlarmState;
  readonly previous: AlarmState;
  readonly at: number;
  readonly previousAt: number;
}

export function alarmStateChangeEvent(origin: Origin, change: AlarmChange) {
  const { alarmName, state, previous, at, previousAt } = change;
  const { region, account } = origin;
  const reason = 'set in the sandbox';
  return envelope(origin, alarmStateChange, at, {
    resources: [`arn:aws:cloudwatch:${region}:${account}:alarm:${alarmName}`],
    detail: {
      alarmName,
      state: { value: state, reason, timestamp: cloudWatchTime(at) },
      previousState: { value: previous, reason, timestamp: cloudWatchTime(previousAt) },
      configuration: { description: 'an alarm of the sandbox', metrics: [] },
    },
  });
}

/** The two-minute warning before EC2 reclaims a spot instance. */
export function spotInterruptionEvent(origin: Origin, instanceId: string, at: number) {
  return envelope(origin, spotInterruption, at, {
    resources: [instanceArn(origin, instanceId)],
    detail: { 'instance-id': instanceId, 'instance-action': 'terminate' },
  });
}

/** The earlier hint that a spot instance may be reclaimed. */
export function rebalanceRecommendationEvent(origin: Origin, instanceId: string, at: number) {
  return envelope(origin, rebalanceRecommendation, at, {
    resources: [instanceArn(origin, instanceId)],
    detail: { 'instance-id': instanceId },
  });
}

function envelope(
  origin: Origin,
  type: EventSource,
  at: number,
  { resources, detail }: { readonly resources: readonly string[]; readonly detail: object },
) {
  return {
    version: '0',
    id: eventId(`${type.detailType} ${resources.join()} ${at}`),
    'detail-type': type.detailType,
    source: type.source,
    account: origin.account,
    // EventBridge uses whole seconds.
    time: `${new Date(at).toISOString().slice(0, 19)}Z`,
    region: origin.region,
    resources,
    detail,
  };
}

function instanceArn({ region, account }: Origin, instanceId: string): string {
  return `arn:aws:ec2:${region}:${account}:instance/${instanceId}`;
}

/** CloudWatch uses milliseconds and an offset without a colon. */
function cloudWatchTime(at: number): string {
  return new Date(at).toISOString().replace('Z', '+0000');
}

/** A UUID that is the same for the same event. */
function eventId(text: string): string {
  const digits = [...`${hashText(text)}${hashText(`${text}.`)}${hashText(`${text}..`)}`]
    .map((character) => (Number.parseInt(character, 36) % 16).toString(16))
    .join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{0,12}).*$/, '$1-$2-$3-$4-$5');
}
