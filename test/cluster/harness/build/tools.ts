import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, shortHash } from './cache-folder';
import { goBuild } from './go';

/** Our own small programs, for what Node.js cannot do. */
export interface Tools {
  /** Puts a process on record and ties it to the one that started it. */
  readonly leash: string;
  /** Makes certificates. */
  readonly pki: string;
  /** Accepts the tokens that EKS accepts. */
  readonly authenticator: string;
}

const SOURCES = join(__dirname, '..', '..', 'go');

/** Where the tools of this checkout are, built or not. */
export function locateTools(): Tools {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(go|mod)$/.test(file));
  const content = files.sort().map((file) => [file, readFileSync(join(SOURCES, file), 'utf8')]);
  const folder = join(cacheFolder(), `tools-${shortHash(JSON.stringify([content, process.platform, process.arch]))}`);
  return { leash: join(folder, 'leash'), pki: join(folder, 'pki'), authenticator: join(folder, 'authenticator') };
}

/** Builds the tools that are missing; they come first, since the large builds are put on a leash. */
export async function buildTools(): Promise<Tools> {
  const tools = locateTools();
  for (const [name, output] of Object.entries(tools)) {
    await goBuild({ folder: SOURCES, goPackage: `./${name}`, output, scratch: cacheFolder() });
  }
  return tools;
}

/** What to put in front of a command so that it ends when this process does. */
export function leashed({ leash }: Tools): readonly string[] {
  return [leash, '-with-parent', `${process.pid}`];
}
