import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '../../..');
const FILES = [
  'cli/main.ts',
  'shared/pricing/instance-types.json',
  'lab/console/page/app.js',
  'lambdas/x.ts',
  'infra/x.ts',
  'lab/simulator/x.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];
/** Instead of the real bundler: notes that it was called. */
const BUILDER = `
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
export async function buildCommandLine() {
  appendFileSync('builds', 'x');
  mkdirSync('dist/cli', { recursive: true });
  writeFileSync('dist/cli/main.mjs', 'export const main = async () => 0;');
}`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headstart-bin-'));
  for (const file of [...FILES, 'bin/headstart.mjs', 'scripts/build.mjs'])
    mkdirSync(dirname(join(folder, file)), { recursive: true });
  for (const file of FILES) writeFileSync(join(folder, file), '{}');
  copyFileSync(join(ROOT, 'bin/headstart.mjs'), join(folder, 'bin/headstart.mjs'));
  writeFileSync(join(folder, 'scripts/build.mjs'), BUILDER);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(): number {
  execFileSync(process.execPath, ['bin/headstart.mjs'], { cwd: folder });
  return readFileSync(join(folder, 'builds'), 'utf8').length;
}

test.each([...FILES, 'scripts/build.mjs'])('a checkout builds the command line again when %s changed', (file) => {
  expect([run(), run()]).toEqual([1, 1]);
  const later = Date.now() / 1_000 + 60;
  utimesSync(join(folder, file), later, later);
  expect(run()).toBe(2);
});
