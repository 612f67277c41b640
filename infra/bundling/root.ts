import { join } from 'node:path';

/** The root of the checkout or of the package: this file and its bundle are both two folders deep. */
export const ROOT = join(__dirname, '..', '..');
