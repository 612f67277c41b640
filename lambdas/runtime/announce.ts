import { handleAnnounced } from '../../shared/core/handle';
import type { LambdaContext } from '../deadline';
import { runtime } from './compose';

/** Announced peaks, in batches from SQS with partial failures. */
export async function handler(event: unknown, context?: LambdaContext) {
  return handleAnnounced(event, { ...(await runtime(context)), accepts: 'announcement' });
}
