import { rebalanceRecommendationEvent, spotInterruptionEvent } from '../../../simulator/bus/aws-events';

const ORIGIN = { region: 'ap-northeast-2', account: '111122223333' };

/** The event that AWS sends before it reclaims an instance. */
export function noticeOf(instanceId: string, at: number, draw: number): unknown {
  return draw < 0.7
    ? spotInterruptionEvent(ORIGIN, instanceId, at)
    : rebalanceRecommendationEvent(ORIGIN, instanceId, at);
}

/** The instance and send time of a notice; `undefined` if the message is not a notice. */
export function readNotice(body: string): { readonly instanceId: string; readonly at: number } | undefined {
  try {
    const { time, detail } = JSON.parse(body) as { time: string; detail: { 'instance-id': string } };
    return { instanceId: detail['instance-id'], at: Date.parse(time) };
  } catch {
    return undefined;
  }
}
