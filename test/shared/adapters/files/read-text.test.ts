import fs, { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'headstart-read-text-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => jest.restoreAllMocks());

/** Each process reads its standard input once, so each test is a new one. */
async function inNewProcess() {
  jest.resetModules();
  return import('../../../../shared/adapters/files/read-text');
}

/** What a process finds on standard input, one read after the other; an error code is what a read throws. */
function input(...reads: readonly (string | { readonly code: string })[]) {
  const left = [...reads];
  const closed = jest.spyOn(fs, 'closeSync');
  jest.spyOn(fs, 'readSync').mockImplementation((file, chunk) => {
    expect(file).toBe(0);
    const next = left.shift() ?? '';
    if (typeof next !== 'string') throw Object.assign(new Error(), next);
    return (chunk as Buffer).write(next);
  });
  return closed;
}

test('standard input is read until its end, however slow its writer is, and left open', async () => {
  const { readText } = await inNewProcess();
  const closed = input('a\nb', { code: 'EAGAIN' }, 'c\n', 'ü', { code: 'EOF' }, 'never read');
  const waited = jest.spyOn(Atomics, 'wait').mockReturnValue('timed-out');
  expect(readText('-')).toBe('a\nbc\nü');
  expect(waited.mock.calls.map(([, ...rest]) => rest)).toEqual([[0, 0, 20]]);
  expect(closed).not.toHaveBeenCalled();
});

test('standard input comes in pieces of whole lines, and what is left at its end', async () => {
  const { readPieces } = await inNewProcess();
  input('a\nb', 'c', '\nd\ne');
  expect([...readPieces('-')].map(String)).toEqual(['a\n', 'bc\nd\n', 'e']);
});

test('a second read of standard input is an error, since it would look like an empty file', async () => {
  const { readText, fileFault } = await inNewProcess();
  input('a');
  writeFileSync(join(folder, 'b'), 'b');
  readText('-');
  expect(readText(join(folder, 'b'))).toBe('b');
  expect(() => readText('-')).toThrow('standard input was already read');
  try {
    readText('-');
  } catch (error) {
    expect(fileFault(error, 'read')).toBe('cannot be read (standard input was already read)');
  }
});

test('any other failure to read is one', async () => {
  const { readText } = await inNewProcess();
  input('a', { code: 'EIO' });
  expect(() => readText('-')).toThrow(expect.objectContaining({ code: 'EIO' }));
});

test('a file is closed after its pieces, however many were read', async () => {
  const { readPieces, readText } = await inNewProcess();
  const path = join(folder, 'long');
  const text = `${'x'.repeat(99)}\n`.repeat(9_000);
  writeFileSync(path, text);
  const closed = jest.spyOn(fs, 'closeSync');
  expect([...readPieces(path)].join('')).toBe(text);
  readPieces(path).next();
  for (const piece of readPieces(path)) if (piece.length > 0) break;
  expect(closed).toHaveBeenCalledTimes(2);
  expect(readText(path)).toBe(text);
});

test.each([
  { code: 'ENOENT', says: 'does not exist' },
  { code: 'ENOTDIR', says: 'does not exist' },
  { code: 'EISDIR', says: 'is a folder' },
  { code: 'ENAMETOOLONG', says: 'has too long a name' },
  { code: 'EACCES', says: 'cannot be written: permission denied' },
  { code: 'EPERM', says: 'cannot be written: permission denied' },
  { code: 'EIO', says: 'cannot be written (EIO)' },
  { code: undefined, says: 'cannot be written ()' },
])('$code in words: $says', async ({ code, says }) => {
  expect((await inNewProcess()).fileFault({ code }, 'written')).toBe(says);
});
