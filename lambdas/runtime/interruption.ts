import { handle } from '../../shared/core/handle';
import { service } from './compose';

/** Spot interruptions and their kin, in batches from SQS with partial failures. */
export async function handler(event: unknown) {
  return handle(event, { ...(await service()), accepts: 'interruption' });
}
