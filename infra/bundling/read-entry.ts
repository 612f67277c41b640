import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BundleFile, ROOT } from './root';

/** The files of one function, as the npm package brings them; it stands in for `build-entry.ts` there. */
export function entryFiles(entry: string): readonly BundleFile[] {
  const folder = join(ROOT, 'dist', 'lambdas', entry);
  return readdirSync(folder).map((name) => ({ name, contents: readFileSync(join(folder, name)) }));
}
