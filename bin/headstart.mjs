#!/usr/bin/env node
import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('..', import.meta.url);
const builder = new URL('scripts/build.mjs', root);
// The npm package brings a bundle of everything, and nothing to build it with.
const isCheckout = existsSync(builder);
const bundle = new URL(`dist/${isCheckout ? 'cli' : 'command'}/main.mjs`, root);
const rooms = ['shared', 'lambdas', 'infra', 'simulator', 'console', 'cli'];

/** A checkout whose sources are newer than the bundle builds it again, so that nobody runs yesterday's code. */
function isStale() {
  const builtAt = statSync(bundle, { throwIfNoEntry: false })?.mtimeMs;
  return builtAt === undefined || rooms.some((room) => hasNewer(new URL(`${room}/`, root), builtAt));
}

/** A folder's own time tells of files that were removed or renamed. */
function hasNewer(folder, builtAt) {
  if (statSync(folder).mtimeMs > builtAt) return true;
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    if (entry.isDirectory()) return hasNewer(new URL(`${entry.name}/`, folder), builtAt);
    return entry.name.endsWith('.ts') && statSync(new URL(entry.name, folder)).mtimeMs > builtAt;
  });
}

if (isCheckout && isStale()) await (await import(builder.href)).buildCommandLine();
const { main } = await import(bundle.href);
process.exitCode = await main(process.argv.slice(2), { root: fileURLToPath(root) });
