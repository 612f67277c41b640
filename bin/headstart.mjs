#!/usr/bin/env node
import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('..', import.meta.url);
const builder = new URL('scripts/build.mjs', root);
// The npm package brings a bundle of everything, and nothing to build it with.
const isCheckout = existsSync(builder);
const bundle = new URL(`dist/${isCheckout ? 'cli' : 'command'}/main.mjs`, root);
const rooms = ['shared', 'lambdas', 'infra', 'cli', 'lab'];

/** A checkout with an input that is newer than the bundle builds it again, so that nobody runs yesterday's code. */
function isStale() {
  const builtAt = statSync(bundle, { throwIfNoEntry: false })?.mtimeMs;
  if (builtAt === undefined) return true;
  const files = ['package.json', 'package-lock.json', 'tsconfig.json'].map((name) => new URL(name, root));
  return (
    [builder, ...files].some((file) => isNewer(file, builtAt)) ||
    rooms.some((room) => hasNewer(new URL(`${room}/`, root), builtAt))
  );
}

function isNewer(file, builtAt) {
  return (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > builtAt;
}

/** A folder's own time tells of files that were removed or renamed. */
function hasNewer(folder, builtAt) {
  if (isNewer(folder, builtAt)) return true;
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    if (entry.isDirectory()) return hasNewer(new URL(`${entry.name}/`, folder), builtAt);
    return isNewer(new URL(entry.name, folder), builtAt);
  });
}

if (isCheckout && isStale()) await (await import(builder.href)).buildCommandLine();
const { main } = await import(bundle.href);
process.exitCode = await main(process.argv.slice(2), { root: fileURLToPath(root) });
