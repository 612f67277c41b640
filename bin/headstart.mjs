#!/usr/bin/env node
import { readdirSync, statSync } from 'node:fs';

const root = new URL('..', import.meta.url);
const built = new URL('dist/cli/main.mjs', root);
const rooms = ['shared', 'lambdas', 'simulator', 'console', 'cli'];

/** A checkout whose sources are newer than the bundle builds it again, so that nobody runs yesterday's code. */
function isStale() {
  const made = statSync(built, { throwIfNoEntry: false })?.mtimeMs;
  return made === undefined || rooms.some((room) => isNewer(new URL(`${room}/`, root), made));
}

function isNewer(folder, made) {
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    if (entry.isDirectory()) return isNewer(new URL(`${entry.name}/`, folder), made);
    return entry.name.endsWith('.ts') && statSync(new URL(entry.name, folder)).mtimeMs > made;
  });
}

if (isStale()) await (await import('../scripts/build.mjs')).buildCommandLine();
const { main } = await import(built.href);
process.exitCode = await main(process.argv.slice(2));
