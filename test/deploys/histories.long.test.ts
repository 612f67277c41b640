import { runHistories } from './run-histories';

jest.setTimeout(1_800_000);

test('a thousand histories of deploys end whole, and leave nothing that the docs do not name', async () => {
  expect((await runHistories(1, 1_000)).wrong).toEqual([]);
});
