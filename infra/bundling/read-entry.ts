import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BundleFile } from './build-entry';
import { ROOT } from './root';

/** The prebuilt files of one function; it replaces `build-entry.ts` in the npm package. */
export function entryFiles(entry: string): readonly BundleFile[] {
  const folder = join(ROOT, 'dist', 'lambdas', entry);
  return readdirSync(folder).map((name) => ({ name, contents: readFileSync(join(folder, name)) }));
}
