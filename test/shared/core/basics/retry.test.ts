import { doubling, retry } from '../../../../shared/core/basics/retry';

const slept: number[] = [];
const sleep = async (ms: number) => void slept.push(ms);
beforeEach(() => {
  slept.length = 0;
});

test('tries until it works, and tells each try what went wrong before', async () => {
  const heard: unknown[] = [];
  const work = async (previous: string | undefined) => {
    heard.push(previous);
    if (heard.length < 3) throw `failure ${heard.length}`;
    return 'done';
  };
  await expect(retry(work, { sleep, delayMs: (_error, attempt) => attempt * 10 })).resolves.toBe('done');
  expect(heard).toEqual([undefined, 'failure 1', 'failure 2']);
  expect(slept).toEqual([10, 20]);
});

test('gives up when the policy does, with the last error', async () => {
  let count = 0;
  const work = async () => {
    count += 1;
    throw new Error(`failure ${count}`);
  };
  const policy = { sleep, delayMs: (_error: unknown, attempt: number) => (attempt < 2 ? 1 : undefined) };
  await expect(retry(work, policy)).rejects.toThrow('failure 2');
});

test('a delay doubles up to its longest', () => {
  expect([1, 2, 3, 4].map((attempt) => doubling(100, attempt, 500))).toEqual([100, 200, 400, 500]);
});
