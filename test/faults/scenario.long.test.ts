import { replay } from './replay-page';

jest.setTimeout(300_000);

test('a seed gives the same trace every time, and another seed another', async () => {
  const { trace } = await replay({ seed: 11 });
  expect(trace.length).toBeGreaterThan(100);
  expect((await replay({ seed: 11 })).trace).toEqual(trace);
  expect((await replay({ seed: 12 })).trace).not.toEqual(trace);
});
