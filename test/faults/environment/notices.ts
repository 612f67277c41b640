import { rebalanceRecommendationEvent, spotInterruptionEvent } from '../../../simulator/bus/aws-events';

const ORIGIN = { region: 'ap-northeast-2', account: '111122223333' };

/** What AWS sends when it is about to take an instance away. */
export function noticeOf(instanceId: string, at: number, draw: number): unknown {
  return draw < 0.7
    ? spotInterruptionEvent(ORIGIN, instanceId, at)
    : rebalanceRecommendationEvent(ORIGIN, instanceId, at);
}

/** Which instance a message announces, and when it says that it was sent; `undefined` for what is no notice. */
export function readNotice(body: string): { readonly instanceId: string; readonly at: number } | undefined {
  try {
    const { time, detail } = JSON.parse(body) as { time: string; detail: { 'instance-id': string } };
    return { instanceId: detail['instance-id'], at: Date.parse(time) };
  } catch {
    return undefined;
  }
}
