import { readdirSync, readFileSync } from 'node:fs';

const FOLDERS = ['.', 'docs', 'docs/adr', 'docs/cli', 'test/aws', 'test/cluster'];

/** Every page that people read, as a path from the root. */
export function pageNames(): readonly string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => (folder === '.' ? name : `${folder}/${name}`)),
  );
}

export function pageText(page: string): string {
  return readFileSync(page, 'utf8');
}
