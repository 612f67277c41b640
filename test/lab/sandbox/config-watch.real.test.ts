import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchFiles } from '../../../lab/sandbox/config-watch';

let folder: string;
let file: string;
let close: () => Promise<void>;

/** Resolves with the next change, however long the machine takes. */
function nextChange(change: () => void): Promise<void> {
  return new Promise((resolve) => {
    const watching = watchFiles([file], resolve);
    close = () => watching.close();
    change();
  });
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headstart-watch-'));
  file = join(folder, 'headroom.yaml');
  writeFileSync(file, 'one');
});

afterEach(async () => {
  await close();
  rmSync(folder, { recursive: true, force: true });
});

test('a file that is written is noticed', async () => {
  await nextChange(() => writeFileSync(file, 'two'));
});

test('a file that an editor replaces by renaming is noticed', async () => {
  await nextChange(() => {
    const other = join(folder, '.headroom.yaml.swp');
    writeFileSync(other, 'two');
    renameSync(other, file);
  });
});

test('a file that appears is noticed', async () => {
  rmSync(file);
  await nextChange(() => writeFileSync(file, 'two'));
});

test('a file that is written again with the same content is not a change', async () => {
  let changes = 0;
  const watching = watchFiles([file], () => {
    changes += 1;
  });
  close = () => watching.close();
  writeFileSync(file, 'one');
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(changes).toBe(0);
});
