// Bundles the command line, with the sandbox and its console, into dist/cli, so that it starts in a moment.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const outdir = join(root, 'dist', 'cli');
const ENTRY = 'main.mjs';
/** Chunks of an earlier build stay this long: a sandbox that still runs may load them. */
const KEEP_MS = 24 * 3_600_000;

/** How the command line is bundled, here and for the npm package. */
export const commandLineOptions = {
  absWorkingDir: root,
  entryPoints: { main: 'cli/main.ts' },
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  platform: 'node',
  target: 'node20',
  minify: true,
  mainFields: ['module', 'main'],
  define: { __dirname: 'import.meta.dirname' },
  // The user's own, for `headstart export`.
  external: ['aws-cdk-lib', 'constructs'],
  banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
  logLevel: 'warning',
};

/** What a checkout leaves where npm put it: large, and used by few commands. */
const LEFT_OUT = ['@kubernetes/client-node', '@aws-sdk/*', '@smithy/*', 'esbuild'];

export async function buildCommandLine() {
  const external = [...commandLineOptions.external, ...LEFT_OUT];
  const { outputFiles } = await build({ ...commandLineOptions, external, write: false });
  mkdirSync(outdir, { recursive: true });
  // Chunks are named after their content and the entry comes last, so that two builds at once do not meet.
  const names = new Map(outputFiles.map((file) => [basename(file.path), file.contents]));
  for (const [name, contents] of names) if (name !== ENTRY && !existsSync(join(outdir, name))) put(name, contents);
  put(ENTRY, names.get(ENTRY));
  for (const name of readdirSync(outdir)) {
    const age = Date.now() - (statSync(join(outdir, name), { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (!names.has(name) && age > KEEP_MS) rmSync(join(outdir, name), { force: true });
  }
}

/** In one step: a reader sees the whole file or none. */
function put(name, contents) {
  const part = join(outdir, `${name}.${process.pid}`);
  writeFileSync(part, contents);
  renameSync(part, join(outdir, name));
}
