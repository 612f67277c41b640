import { MessageQueue } from '../../../../lab/simulator/bus/message-queue';
import { EVENT_QUEUE } from '../../../../shared/core/events/delivery-limits';

const HIDDEN_MS = EVENT_QUEUE.visibilitySeconds * 1_000;

function queueOf(count: number): MessageQueue {
  const queue = new MessageQueue();
  for (let i = 0; i < count; i += 1) queue.send(`body ${i}`, 0);
  return queue;
}

test('a batch holds as many messages as the real one and hides them', () => {
  const queue = queueOf(EVENT_QUEUE.batchSize + 2);
  expect(queue.receive(0)).toHaveLength(EVENT_QUEUE.batchSize);
  expect(queue.receive(0)).toHaveLength(2);
  expect(queue.receive(0)).toHaveLength(0);
});

test('what was handled is gone, what failed comes again', () => {
  const queue = queueOf(2);
  const batch = queue.receive(0);
  queue.settle(batch, new Set([batch[1]?.messageId ?? '']));
  expect(queue.nextAt).toBe(HIDDEN_MS);
  expect(queue.receive(HIDDEN_MS - 1)).toEqual([]);
  expect(queue.receive(HIDDEN_MS).map(({ body }) => body)).toEqual(['body 1']);
});

test('a message that fails too often becomes a dead letter', () => {
  const queue = queueOf(1);
  for (let receive = 0; receive < EVENT_QUEUE.maxReceives; receive += 1) {
    const batch = queue.receive(receive * HIDDEN_MS);
    queue.settle(batch, new Set(batch.map(({ messageId }) => messageId)));
  }
  expect(queue.nextAt).toBeUndefined();
  expect(queue.deadLetters.map(({ body }) => body)).toEqual(['body 0']);
});
