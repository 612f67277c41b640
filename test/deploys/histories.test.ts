import { runHistories } from './run-histories';

jest.setTimeout(300_000);

test('deploys on an AWS that refuses, throttles, forgets and repeats end whole, and leave nothing that the docs do not name', async () => {
  const { wrong, ended } = await runHistories(1, 40);
  expect(wrong).toEqual([]);
  // Not only the easy ways were gone.
  for (const status of [
    'CREATE_COMPLETE',
    'UPDATE_COMPLETE',
    'ROLLBACK_COMPLETE',
    'UPDATE_ROLLBACK_COMPLETE',
    'DELETE_COMPLETE',
  ])
    expect(ended[status]).toBeGreaterThan(5);
});
