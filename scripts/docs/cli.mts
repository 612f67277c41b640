// Writes docs/cli, one page per command, generated from the same help text that the terminal shows.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { helpPages } from './help-pages';

const folder = 'docs/cli';
const pages = helpPages();
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) if (!pages.has(name)) rmSync(join(folder, name));
for (const [name, text] of pages) writeFileSync(join(folder, name), text);
