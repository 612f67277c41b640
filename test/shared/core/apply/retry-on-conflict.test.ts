import { retryOnConflict } from '../../../../shared/core/apply/retry-on-conflict';
import { ConflictError } from '../../../../shared/core/basics/errors';
import type { CurrentHeadroom } from '../../../../shared/core/ports/ports';
import { FakeCluster } from '../../../fakes/fake-cluster';
import { currentWith } from './current-headroom';

const seen = currentWith({ resourceVersion: 'seen' });
const read = currentWith({ resourceVersion: 'read' });

/** Runs a step that fails so often with the error, and tells what was done. */
async function run(failures: number, error: Error) {
  const [steps, pauses, reads]: [string[], number[], string[]] = [[], [], []];
  const cluster = new FakeCluster();
  cluster.readHeadroom = async (name) => {
    reads.push(name);
    return read;
  };
  const sleep = async (attempt: number) => {
    pauses.push(attempt);
  };
  const step = async (current: CurrentHeadroom | undefined) => {
    steps.push(current?.resourceVersion ?? 'none');
    if (steps.length <= failures) throw error;
    return 'done';
  };
  const result = await retryOnConflict({ cluster, sleep }, 'headroom-web', seen, step).catch(
    ({ message }: Error) => message,
  );
  return { result, steps, pauses, reads };
}

const conflict = new ConflictError('it was modified');

test('a step that succeeds runs once, on what was seen', async () => {
  expect(await run(0, conflict)).toEqual({ result: 'done', steps: ['seen'], pauses: [], reads: [] });
});

test('after a conflict it pauses a little longer each time and runs on what is there now', async () => {
  expect(await run(2, conflict)).toEqual({
    result: 'done',
    steps: ['seen', 'read', 'read'],
    pauses: [1, 2],
    reads: ['headroom-web', 'headroom-web'],
  });
});

test('after a conflict with a deletion it runs on nothing, so that a new object is made', async () => {
  const steps: (CurrentHeadroom | undefined)[] = [];
  const cluster = new FakeCluster();
  cluster.readHeadroom = async () => undefined;
  const step = async (current: CurrentHeadroom | undefined) => {
    steps.push(current);
    if (steps.length === 1) throw conflict;
  };
  await retryOnConflict({ cluster, sleep: async () => {} }, 'web', seen, step);
  expect(steps).toEqual([seen, undefined]);
});

test('it gives up after twelve tries', async () => {
  expect((await run(11, conflict)).result).toBe('done');
  const { result, steps, pauses } = await run(12, conflict);
  expect([result, steps.length, pauses.length]).toEqual(['it was modified', 12, 11]);
});

test('another error is no reason to try again', async () => {
  expect(await run(1, new Error('forbidden'))).toEqual({ result: 'forbidden', steps: ['seen'], pauses: [], reads: [] });
});
