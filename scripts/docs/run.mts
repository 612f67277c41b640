// npm run docs -- NAME ...: writes the pages and files that are generated from the code; without a name all but the pictures.
const PAGES: Readonly<Record<string, () => Promise<unknown>>> = {
  cli: () => import('./cli.mjs'),
  reasons: () => import('./reasons.mjs'),
  schema: () => import('../schema.mjs'),
  'first-minute': () => import('./first-minute.mjs'),
  choosing: () => import('./choosing-pictures.mjs'),
};

const names = process.argv.slice(2);
for (const name of names.length > 0 ? names : ['cli', 'reasons', 'schema', 'first-minute']) {
  const write = PAGES[name];
  if (!write) throw new Error(`there is nothing named ${name} to write; name ${Object.keys(PAGES).join(', ')}`);
  await write();
}
