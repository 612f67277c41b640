import { rebalanceRecommendationEvent, spotInterruptionEvent } from '../../../simulator/bus/aws-events';

const ORIGIN = { region: 'ap-northeast-2', account: '111122223333' };

/** The event that AWS sends before it reclaims an instance. */
export function noticeOf(instanceId: string, at: number, draw: number): unknown {
  return draw < 0.7
    ? spotInterruptionEvent(ORIGIN, instanceId, at)
    : rebalanceRecommendationEvent(ORIGIN, instanceId, at);
}

export interface Notice {
  readonly instanceId: string;
  readonly at: number;
  readonly cause: 'spot' | 'rebalance';
}

/** The instance, the time and the cause of a notice; `undefined` if the message is not a notice. */
export function readNotice(body: string): Notice | undefined {
  try {
    const raw = JSON.parse(body) as { time: string; 'detail-type': string; detail: { 'instance-id': string } };
    const cause = raw['detail-type'].includes('Spot') ? 'spot' : 'rebalance';
    return { instanceId: raw.detail['instance-id'], at: Date.parse(raw.time), cause };
  } catch {
    return undefined;
  }
}
