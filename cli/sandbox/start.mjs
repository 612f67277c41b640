// Bundles the sandbox in a moment and starts it: what runs is always what the sources say.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'dist', 'sandbox');
const OLD_MS = 3_600_000;

async function bundle() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['cli/sandbox/main.ts'],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    // Large, and needed for a real cluster only: left where npm put them.
    external: ['@kubernetes/client-node', '@aws-sdk/*', '@smithy/*'],
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
    logLevel: 'warning',
  });
  return outputFiles[0].text;
}

/** Named after its content and put in place in one step, so that two starts at once do not meet. */
function keep(text) {
  const file = join(folder, `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.mjs`);
  mkdirSync(folder, { recursive: true });
  if (existsSync(file)) return file;
  const part = `${file}.${process.pid}`;
  writeFileSync(part, text);
  renameSync(part, file);
  for (const name of readdirSync(folder)) {
    const other = join(folder, name);
    const age = Date.now() - (statSync(other, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (other !== file && age > OLD_MS) rmSync(other, { force: true });
  }
  return file;
}

const { main } = await import(pathToFileURL(keep(await bundle())).href);
process.exitCode = await main(process.argv.slice(2), { root, write: (text) => process.stdout.write(text) });
