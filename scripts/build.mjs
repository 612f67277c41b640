// Bundles the command line into dist/, so that it starts in a moment.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

export async function buildCommandLine() {
  const outdir = join(root, 'dist', 'cli');
  rmSync(outdir, { recursive: true, force: true });
  await build({
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
    // Large, and used by few commands: left where npm put them.
    external: ['@kubernetes/client-node', '@aws-sdk/*', 'esbuild'],
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
    logLevel: 'warning',
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildCommandLine();
