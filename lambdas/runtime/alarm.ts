import { handleEvent } from '../../shared/core/handle';
import type { LambdaContext } from '../deadline';
import { runtime } from './compose';

/** CloudWatch alarm state changes, metric and composite. */
export async function handler(event: unknown, context?: LambdaContext) {
  return handleEvent(event, { ...(await runtime(context)), accepts: 'alarm' });
}
