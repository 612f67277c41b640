import { handleEvent } from '../../shared/core/handle';
import type { LambdaContext } from '../deadline';
import { service } from './compose';

/** CloudWatch alarm state changes, metric and composite. */
export async function handler(event: unknown, context?: LambdaContext) {
  return handleEvent(event, { ...(await service(context)), accepts: 'alarm' });
}
