import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withLock } from '../process/lock';

let folder: string;
let lock: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headstart-lock-'));
  lock = join(folder, 'lock');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('work under one lock does not overlap', async () => {
  const steps: string[] = [];
  const work = (name: string) => async () => {
    steps.push(`${name} begins`);
    await sleep(20);
    steps.push(`${name} ends`);
  };
  await Promise.all([withLock(lock, work('one')), withLock(lock, work('other'))]);
  const [first, second] = [steps.slice(0, 2), steps.slice(2)];
  expect([first, second]).toEqual(expect.arrayContaining([['one begins', 'one ends']]));
  expect([first, second]).toEqual(expect.arrayContaining([['other begins', 'other ends']]));
});

test('the lock of a process that was killed is taken over', async () => {
  mkdirSync(lock);
  writeFileSync(join(lock, 'holder.json'), JSON.stringify({ pid: process.pid, identity: 'an earlier process' }));
  expect(await withLock(lock, async () => 'done')).toBe('done');
});

test('a lock is given back although the work fails', async () => {
  const failing = withLock(lock, async () => {
    throw new Error('no disk');
  });
  await expect(failing).rejects.toThrow('no disk');
  expect(existsSync(lock)).toBe(false);
});
