import { writeFileSync } from 'node:fs';
import { InputError } from '../terminal/exit';

/** Writes a file that the user named; a path that cannot be written is the user's to correct. */
export function writeFileOrFail(path: string, text: string, option: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'its folder does not exist' : `cannot be written (${code})`;
    throw new InputError(`${option} ${path}: ${why}; name a file in a folder that you may write to`);
  }
}
