import { handleInterruptions, type QueueMessage } from '../../shared/core/handle-interruptions';
import { service } from './compose';

/** Spot interruptions and their kin, in batches from SQS with partial failures. */
export async function handler(event: { readonly Records: readonly QueueMessage[] }) {
  const { batchItemFailures } = await handleInterruptions(event.Records, await service());
  return { batchItemFailures };
}
