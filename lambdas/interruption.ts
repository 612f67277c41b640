import { service } from './compose';
import { handleInterruptions, type QueueMessage } from './handle-interruptions';

/** Spot interruptions and their kin, in batches from SQS with partial failures. */
export async function handler(event: { readonly Records: readonly QueueMessage[] }) {
  const { batchItemFailures } = await handleInterruptions(event.Records, await service());
  return { batchItemFailures };
}
