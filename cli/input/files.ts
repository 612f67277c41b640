import { writeFileSync } from 'node:fs';
import { fileFault, readText } from '../../shared/adapters/files/read-text';
import { InputError } from '../terminal/exit';

/** Reads a file that the user named, or standard input for `-`. */
export function readFileOrFail(path: string, { label = path, expected }: { label?: string; expected: string }): string {
  try {
    return readText(path);
  } catch (error) {
    throw new InputError(`${label}: ${fileFault(error, 'read')}; pass ${expected}`);
  }
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
