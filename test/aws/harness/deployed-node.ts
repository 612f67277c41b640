import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { NODE_MAJOR } from '../../../infra/bundling/runtime';
import { withLock } from '../../cluster/harness/process/lock';
import { runCommand } from '../../cluster/harness/process/run-command';
import { VERSIONS } from './versions';

/** What this suite and the benchmarks install, outside of the checkout, so that a fresh clone finds it. */
export function cacheRoot(): string {
  const { HEADSTART_CACHE, XDG_CACHE_HOME } = process.env;
  if (HEADSTART_CACHE) return resolve(HEADSTART_CACHE);
  return join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'headstart');
}

/** The program of Node.js in the version that the functions run on. */
export async function deployedNode(say: (message: string) => void): Promise<string> {
  if (!VERSIONS.node.startsWith(`${NODE_MAJOR}.`))
    throw new Error(`functions are deployed on Node.js ${NODE_MAJOR}; set \`node\` in test/aws/harness/versions.ts`);
  return installedNode(VERSIONS.node, say);
}

/** The program of a version of Node.js, from npm; installed once. */
export async function installedNode(version: string, say: (message: string) => void): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(cacheRoot(), `${name}-${version}`);
  await withLock(`${folder}.lock`, async () => {
    if (existsSync(folder)) return;
    const part = `${folder}.part`;
    say(`installing Node.js ${version} into ${folder}`);
    rmSync(part, { recursive: true, force: true });
    mkdirSync(part, { recursive: true });
    await npmInstall(part, { private: true, dependencies: { [name]: version } });
    renameSync(part, folder);
  });
  return join(folder, 'node_modules', name, 'bin', 'node');
}

/** Installs the packages of a manifest into a folder of their own. */
export async function npmInstall(folder: string, manifest: object): Promise<void> {
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  // `npm run` tells its children where the project is; this one has a project of its own.
  const { npm_config_local_prefix: _, ...env } = process.env;
  await runCommand({
    program: 'npm',
    args: ['install', '--prefix', folder, '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts=false'],
    cwd: folder,
    env,
  });
}
