import type { QueueMessage } from '../../../shared/core/events/deliveries';
import { EVENT_QUEUE } from '../../../shared/core/events/delivery-limits';

const { batchSize, maxReceives, visibilitySeconds } = EVENT_QUEUE;

interface Stored extends QueueMessage {
  receives: number;
  visibleAt: number;
}

/** Works like SQS: a received message is hidden, and delivered again unless it was handled. */
export class MessageQueue {
  /** Messages that were received too often. */
  readonly deadLetters: QueueMessage[] = [];
  private messages: Stored[] = [];
  private sent = 0;

  /** When the next message can be received. */
  get nextAt(): number | undefined {
    return this.messages.length === 0 ? undefined : Math.min(...this.messages.map(({ visibleAt }) => visibleAt));
  }

  send(body: string, visibleAt: number): void {
    this.sent += 1;
    this.messages.push({ messageId: `message-${this.sent}`, body, receives: 0, visibleAt });
  }

  /** The next batch, hidden from now on. */
  receive(now: number): readonly QueueMessage[] {
    const batch = this.messages.filter(({ visibleAt }) => visibleAt <= now).slice(0, batchSize);
    for (const message of batch) {
      message.receives += 1;
      message.visibleAt = now + visibilitySeconds * 1_000;
    }
    return batch.map(({ messageId, body }) => ({ messageId, body }));
  }

  /** Deletes handled messages; failed ones stay hidden until their visibility timeout ends, or become dead letters. */
  settle(batch: readonly QueueMessage[], failed: ReadonlySet<string>): void {
    const handled = new Set(batch.map(({ messageId }) => messageId).filter((id) => !failed.has(id)));
    this.messages = this.messages.filter((message) => {
      if (handled.has(message.messageId)) return false;
      if (!failed.has(message.messageId) || message.receives < maxReceives) return true;
      this.deadLetters.push({ messageId: message.messageId, body: message.body });
      return false;
    });
  }
}
