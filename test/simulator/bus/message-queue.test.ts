import { MessageQueue } from '../../../simulator/bus/message-queue';

const MINUTE = 60_000;

function queueOf(count: number): MessageQueue {
  const queue = new MessageQueue();
  for (let i = 0; i < count; i += 1) queue.send(`body ${i}`, 0);
  return queue;
}

test('a batch holds at most ten messages and hides them', () => {
  const queue = queueOf(12);
  expect(queue.receive(0)).toHaveLength(10);
  expect(queue.receive(0)).toHaveLength(2);
  expect(queue.receive(0)).toHaveLength(0);
});

test('what was handled is gone, what failed comes again', () => {
  const queue = queueOf(2);
  const batch = queue.receive(0);
  queue.settle(batch, new Set([batch[1]?.messageId ?? '']));
  expect(queue.nextAt).toBe(MINUTE);
  expect(queue.receive(MINUTE).map(({ body }) => body)).toEqual(['body 1']);
});

test('a message that fails too often becomes a dead letter', () => {
  const queue = queueOf(1);
  for (let receive = 0; receive < 5; receive += 1) {
    const batch = queue.receive(receive * MINUTE);
    queue.settle(batch, new Set(batch.map(({ messageId }) => messageId)));
  }
  expect(queue.nextAt).toBeUndefined();
  expect(queue.deadLetters.map(({ body }) => body)).toEqual(['body 0']);
});
