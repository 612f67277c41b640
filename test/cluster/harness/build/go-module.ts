import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { downloadModule, runGo } from './go';

/** A published module whose programs are built. */
export interface GoModule {
  readonly path: string;
  readonly version: string;
  /** Version of the modules that its repository holds in folders and publishes on their own. */
  readonly twinVersion?: string;
}

/**
 * Writes a go.mod of our own that builds the module as its authors do, and gives the module's folder.
 * A dependent inherits neither pins of indirect modules nor replacements, so theirs are taken over; a replacement by
 * a folder, which a published module lacks, becomes one by the published twin.
 */
export async function writeGoModule(folder: string, { path, version, twinVersion }: GoModule): Promise<string> {
  const source = await downloadModule(folder, `${path}@${version}`);
  const theirs = readFileSync(join(source, 'go.mod'), 'utf8');
  const ours = theirs
    .replace(/^module .*$/m, `module headstart/${path.split('/').at(-1)}`)
    .replace(/^(\s*(?:replace )?)(\S+) => \.\/\S+$/gm, `$1$2 => $2 ${twinVersion}`)
    // The placeholder for what is replaced; left alone, Go would raise it or not, by what is built first.
    .replace(/^(\s*(?:require )?\S+) v0\.0\.0$/gm, `$1 ${twinVersion}`);
  writeFileSync(join(folder, 'go.mod'), ours);
  writeFileSync(join(folder, 'go.sum'), readFileSync(join(source, 'go.sum')));
  await runGo(folder, ['mod', 'edit', `-require=${path}@${version}`]);
  return source;
}
