import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

export interface StaticFile {
  readonly type: string;
  readonly content: Buffer;
}

export interface StaticFolders {
  readonly page: string;
  /** By the name under `/vendor/`. */
  readonly vendor: ReadonlyMap<string, string>;
}

/** The folders of a checkout, with libraries in node_modules, or of the npm package, which contains them. */
export function foldersOf(root: string): StaticFolders {
  const installed = join(root, 'node_modules');
  const modules = existsSync(join(installed, 'uplot')) ? installed : join(root, 'dist/vendor');
  return {
    page: join(root, 'lab/console/page'),
    vendor: new Map([
      ['uplot', join(modules, 'uplot/dist')],
      ['lit-html', join(modules, 'lit-html')],
    ]),
  };
}

/** The file of a URL path, if there is one. Nothing outside these folders is ever read. */
export async function readStatic(folders: StaticFolders, path: string): Promise<StaticFile | undefined> {
  const [, library = '', rest = ''] = /^\/vendor\/([\w-]+)\/(.*)$/.exec(path) ?? [];
  const [folder, name] = library
    ? [folders.vendor.get(library), rest]
    : [folders.page, path === '/' ? 'index.html' : path.slice(1)];
  const type = TYPES[extname(name)];
  // Each part starts with a letter, a digit or an underscore, which excludes `..` and hidden files.
  if (!folder || !type || !/^(\w[\w.-]*\/)*\w[\w.-]*$/.test(name)) return undefined;
  try {
    return { type, content: await readFile(join(folder, name)) };
  } catch {
    return undefined;
  }
}
