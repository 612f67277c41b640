import { readFileSync, readSync } from 'node:fs';

const STANDARD_INPUT = 0;
const CHUNK = 65_536;
const WAIT_MS = 20;
const READ_ALREADY = 'standard input was already read';

const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EISDIR: 'is a folder',
  ENAMETOOLONG: 'has too long a name',
};

/** Why a file cannot be read or written, in words. */
export function fileFault(error: unknown, doing: 'read' | 'written'): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM') return `cannot be ${doing}: permission denied`;
  return FILE_FAULTS[code] ?? `cannot be ${doing} (${code})`;
}

/** The text of a file, or of standard input for `-`, however slow its writer is. */
export function readText(path: string): string {
  return path === '-' ? readStandardInput() : readFileSync(path, 'utf8');
}

let wasRead = false;

/** `readFileSync` fails with EAGAIN on an open pipe without data, so this retries until the pipe is closed. */
function readStandardInput(): string {
  // A second read would return nothing and look like an empty file.
  if (wasRead) throw Object.assign(new Error(READ_ALREADY), { code: READ_ALREADY });
  wasRead = true;
  const chunks: Buffer[] = [];
  const chunk = Buffer.alloc(CHUNK);
  for (;;) {
    const length = readSome(chunk);
    if (length === 0) return Buffer.concat(chunks).toString('utf8');
    if (length === undefined) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
    else chunks.push(Buffer.from(chunk.subarray(0, length)));
  }
}

/** `undefined` if there is nothing to read yet. */
function readSome(chunk: Buffer): number | undefined {
  try {
    return readSync(STANDARD_INPUT, chunk);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EAGAIN') return undefined;
    // The end of a pipe on Windows.
    if (code === 'EOF') return 0;
    throw error;
  }
}
