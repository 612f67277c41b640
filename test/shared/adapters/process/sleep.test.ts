import { jitteredSleep, sleep } from '../../../../shared/adapters/process/sleep';

afterEach(() => jest.restoreAllMocks());

test('pauses double up to a second, each a random part of it, so that racing writers drift apart', async () => {
  const waited: unknown[] = [];
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((wake: () => void, ms: number) => {
    waited.push(ms);
    wake();
  }) as never);
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  for (let attempt = 1; attempt <= 7; attempt += 1) await jitteredSleep(attempt);
  expect(waited).toEqual([20, 40, 80, 160, 320, 500, 500]);
});

test('sleeps for as long as it was asked', async () => {
  const begun = performance.now();
  await sleep(20);
  expect(performance.now() - begun).toBeGreaterThanOrEqual(19);
});
