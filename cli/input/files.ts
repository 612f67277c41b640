import { writeFileSync } from 'node:fs';
import { fileFault, readPieces, readText } from '../../shared/adapters/files/read-text';
import { InputError } from '../terminal/exit';

interface Expected {
  readonly label?: string;
  readonly expected: string;
}

/** Reads a file that the user named, or standard input for `-`. */
export function readFileOrFail(path: string, options: Expected): string {
  try {
    return readText(path);
  } catch (error) {
    throw unreadable(path, error, options);
  }
}

export function* readPiecesOrFail(path: string, options: Expected): Generator<Buffer> {
  try {
    yield* readPieces(path);
  } catch (error) {
    throw unreadable(path, error, options);
  }
}

function unreadable(path: string, error: unknown, { label = path, expected }: Expected): InputError {
  return new InputError(`${label}: ${fileFault(error, 'read')}; pass ${expected}`);
}

/** Writes a file that the user named; a path that cannot be written is an input error. */
export function writeFileOrFail(path: string, text: string, option: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'its folder does not exist' : fileFault(error, 'written');
    throw new InputError(`${option} ${path}: ${why}; pass a file in a folder that you can write to`);
  }
}
