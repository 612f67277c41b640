import { readFileSync, readSync } from 'node:fs';

const STANDARD_INPUT = 0;
const CHUNK = 65_536;
const WAIT_MS = 20;

/** The text of a file, or of standard input for `-`, however slow its writer is. */
export function readText(path: string): string {
  return path === '-' ? readStandardInput() : readFileSync(path, 'utf8');
}

/** Node.js gives up on a pipe that is open and has nothing to read yet (EAGAIN), so this waits until it is closed. */
function readStandardInput(): string {
  const chunks: Buffer[] = [];
  const chunk = Buffer.alloc(CHUNK);
  for (;;) {
    const length = readSome(chunk);
    if (length === 0) return Buffer.concat(chunks).toString('utf8');
    if (length === undefined) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
    else chunks.push(Buffer.from(chunk.subarray(0, length)));
  }
}

/** `undefined` where there is nothing to read yet. */
function readSome(chunk: Buffer): number | undefined {
  try {
    return readSync(STANDARD_INPUT, chunk);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EAGAIN') return undefined;
    // What Windows says at the end of a pipe.
    if (code === 'EOF') return 0;
    throw error;
  }
}
