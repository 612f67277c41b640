import { type Polling, poll } from '../../../bench/storm/poller';

const STORM: Polling = {
  messages: 10_000,
  arrivalMs: 0,
  batchSize: 1000,
  windowMs: 1000,
  receiveMs: 10,
  concurrency: 2,
  serviceMs: () => 2000,
};

test('a poller that is quick enough fills its batches', () => {
  expect(poll(STORM)).toEqual({ invocations: 10, perBatch: 1000, handledMs: 5 * (990 + 2000) });
});

test('one that is not hands over what it has when the window closes', () => {
  // A message more than ten for each 50 ms of the window: the first ten come at once.
  expect(poll({ ...STORM, receiveMs: 50 }).perBatch).toBeCloseTo(210, -1);
});

test('messages that arrive slowly make small batches, however large they may be', () => {
  const { perBatch, handledMs } = poll({ ...STORM, messages: 600, arrivalMs: 60_000, serviceMs: () => 0 });
  expect(perBatch).toBeCloseTo(5, 0);
  expect(handledMs).toBeGreaterThan(60_000);
});

test('while the function is busy the queue grows, and the next batch with it', () => {
  const slow = { ...STORM, messages: 600, arrivalMs: 60_000, serviceMs: () => 10_000 };
  expect(poll(slow).perBatch).toBeGreaterThan(30);
});

test('a single message waits for its window', () => {
  expect(poll({ ...STORM, messages: 1 })).toEqual({ invocations: 1, perBatch: 1, handledMs: 3000 });
});
