import { setTimeout as sleep } from 'node:timers/promises';
import type { BatchResponse } from '../../../shared/core/respond';
import type { FunctionProcess } from './function-process';

/** What the queue did until it was empty. */
export interface Delivered {
  readonly invocations: number;
  /** Messages that were delivered again, because a batch failed in part or as a whole. */
  readonly redelivered: number;
  /** Messages that were received too often. */
  readonly deadLetters: number;
  /** All invocations together, the slowest one, and the largest process after one. */
  readonly busyMs: number;
  readonly slowestMs: number;
  readonly memoryBytes: number;
}

export interface QueueOptions {
  readonly batchSize: number;
  readonly maxReceives: number;
  /** How long a message that failed stays hidden. */
  readonly visibilityMs: number;
  /** The time that the functions take it to be. @default the machine's */
  readonly at?: number;
}

interface Message {
  readonly id: string;
  readonly body: string;
  received: number;
}

/**
 * As much of SQS and its event source mapping as the functions notice: batches, one at a time to each warm process, and
 * what failed again after its visibility timeout.
 */
export async function deliverAll(
  bodies: readonly string[],
  processes: readonly FunctionProcess[],
  { batchSize, maxReceives, visibilityMs, at }: QueueOptions,
): Promise<Delivered> {
  let waiting: Message[] = bodies.map((body, index) => ({ id: `${index}`, body, received: 0 }));
  let [invocations, redelivered, deadLetters, busyMs, slowestMs, memoryBytes] = [0, 0, 0, 0, 0, 0];

  async function deliver(process: FunctionProcess, batch: readonly Message[]): Promise<readonly Message[]> {
    invocations += 1;
    const event = { Records: batch.map(({ id, body }) => ({ messageId: id, body })) };
    // A function that throws or is killed has handled nothing, as far as SQS knows.
    const failed = await process.invoke<BatchResponse>(event, at).then(
      ({ value, ...figures }) => {
        busyMs += figures.tookMs;
        slowestMs = Math.max(slowestMs, figures.tookMs);
        memoryBytes = Math.max(memoryBytes, figures.memoryBytes);
        return new Set(value.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
      },
      () => new Set(batch.map(({ id }) => id)),
    );
    return batch.filter(({ id }) => failed.has(id));
  }

  while (waiting.length > 0) {
    const batches = chunksOf(waiting, batchSize);
    const failed: Message[] = [];
    const work = async (process: FunctionProcess) => {
      for (let batch = batches.shift(); batch; batch = batches.shift()) {
        for (const message of batch) message.received += 1;
        failed.push(...(await deliver(process, batch)));
      }
    };
    await Promise.all(processes.map(work));
    waiting = failed.filter(({ received }) => received < maxReceives);
    deadLetters += failed.length - waiting.length;
    redelivered += waiting.length;
    if (waiting.length > 0) await sleep(visibilityMs);
  }
  return { invocations, redelivered, deadLetters, busyMs, slowestMs, memoryBytes };
}

function chunksOf<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}
