import { handleEvent } from '../../shared/core/handle';
import type { LambdaContext } from '../deadline';
import { service } from './compose';

/** Spot interruptions and their kin, in batches from SQS with partial failures. */
export async function handler(event: unknown, context?: LambdaContext) {
  return handleEvent(event, { ...(await service(context)), accepts: 'interruption' });
}
