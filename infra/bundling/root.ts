import { join } from 'node:path';

/** The root of the checkout or of the package: this file and its bundle are both two folders deep. */
export const ROOT = join(__dirname, '..', '..');

/** One file of a function's code. */
export interface BundleFile {
  readonly name: string;
  readonly contents: Uint8Array;
}
