import { handleAnnounced } from '../../shared/core/handle';
import type { LambdaContext } from '../deadline';
import { service } from './compose';

/** Announced peaks, in batches from SQS with partial failures. */
export async function handler(event: unknown, context?: LambdaContext) {
  return handleAnnounced(event, { ...(await service(context)), accepts: 'announcement' });
}
