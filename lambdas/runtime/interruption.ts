import { handleEvent } from '../../shared/core/handle';
import type { LambdaContext } from '../deadline';
import { runtime } from './compose';

/** Interruption notices, in batches from SQS with partial failures. */
export async function handler(event: unknown, context?: LambdaContext) {
  return handleEvent(event, { ...(await runtime(context)), accepts: 'interruption' });
}
