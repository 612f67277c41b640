import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BundleFile } from './build-entry';
import { ROOT } from './root';

/** The prebuilt files of one function; it replaces `build-entry.ts` in the npm package, where functions share files. */
export function entryFiles(entry: string): readonly BundleFile[] {
  const folder = join(ROOT, 'dist', 'lambdas');
  const files: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(folder, `${entry}.json`), 'utf8'));
  return Object.entries(files).map(([name, file]) => ({ name, contents: readFileSync(join(folder, file)) }));
}
