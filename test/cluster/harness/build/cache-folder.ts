import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { VERSIONS } from './versions';

/** Raised when the way of building changes, so that what an older recipe built is left alone. */
const RECIPE = 1;

/** Everything that the harness writes lives here, outside the checkout, so that a fresh clone finds it. */
export function cacheFolder(): string {
  const { HEADSTART_CACHE, XDG_CACHE_HOME } = process.env;
  if (HEADSTART_CACHE) return resolve(HEADSTART_CACHE);
  return join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'headstart', 'cluster');
}

/** What is built at the pinned versions, for this kind of machine. */
export function buildFolder(): string {
  return join(cacheFolder(), shortHash(JSON.stringify([RECIPE, VERSIONS, process.platform, process.arch])));
}

/** One folder per running cluster. */
export function runsFolder(): string {
  return join(cacheFolder(), 'runs');
}

/** Names content in a path. */
export function shortHash(content: string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}
