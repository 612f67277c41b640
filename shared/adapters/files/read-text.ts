import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

const STANDARD_INPUT = 0;
const CHUNK = 262_144;
const WAIT_MS = 20;
const READ_ALREADY = 'standard input was already read';

const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EISDIR: 'is a folder',
  ENAMETOOLONG: 'has too long a name',
};

export function fileFault(error: unknown, doing: 'read' | 'written'): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM') return `cannot be ${doing}: permission denied`;
  return FILE_FAULTS[code] ?? `cannot be ${doing} (${code})`;
}

/** The text of a file, or of standard input for `-`, however slow its writer is. */
export function readText(path: string): string {
  return path === '-' ? Buffer.concat([...readPieces(path)]).toString() : readFileSync(path, 'utf8');
}

let wasRead = false;

/** The same text in pieces of whole lines, so that a long one is never in memory as a whole. */
export function* readPieces(path: string): Generator<Buffer> {
  const isInput = path === '-';
  // A second read would return nothing and look like an empty file.
  if (isInput && wasRead) throw Object.assign(new Error(READ_ALREADY), { code: READ_ALREADY });
  wasRead ||= isInput;
  const file = isInput ? STANDARD_INPUT : openSync(path, 'r');
  const chunk = Buffer.alloc(CHUNK);
  let rest = Buffer.alloc(0);
  try {
    for (let length = readSome(file, chunk); length !== 0; length = readSome(file, chunk)) {
      if (length === undefined) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
      const text = Buffer.concat([rest, chunk.subarray(0, length ?? 0)]);
      const end = text.lastIndexOf('\n') + 1;
      if (end > 0) yield text.subarray(0, end);
      rest = text.subarray(end);
    }
    yield rest;
  } finally {
    if (!isInput) closeSync(file);
  }
}

/** `undefined` if an open pipe has nothing to read yet. */
function readSome(file: number, chunk: Buffer): number | undefined {
  try {
    return readSync(file, chunk);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EAGAIN') return undefined;
    // The end of a pipe on Windows.
    if (code === 'EOF') return 0;
    throw error;
  }
}
