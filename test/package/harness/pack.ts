import { cpSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { devDependencies, name, version } from '../../../package.json';
import { runCommand } from '../../cluster/harness/process/run-command';
import { sharePacked } from './packed';

const ROOT = join(__dirname, '..', '..', '..');
const QUIET = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

/** Makes a release, and installs its package into two empty folders, outside of the checkout. */
export default async function pack(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'headstart-package-'));
  const release = join(root, 'release');
  const tsx = join(ROOT, 'node_modules', '.bin', 'tsx');
  await runCommand({
    program: tsx,
    args: ['scripts/release/release.ts', release, '--preview'],
    cwd: ROOT,
    env: ownEnvironment(),
  });
  const tarball = join(release, `${name}-${version}.tgz`);
  const cdk = `aws-cdk-lib@${devDependencies['aws-cdk-lib']}`;
  const constructs = `constructs@${devDependencies.constructs}`;
  sharePacked({
    root,
    release,
    tarball,
    withCdk: await installed(root, 'with-cdk', tarball, cdk, constructs),
    alone: await installed(root, 'alone', tarball),
  });
}

async function installed(root: string, name: string, tarball: string, ...others: readonly string[]): Promise<string> {
  const folder = join(root, name);
  mkdirSync(folder);
  await npm(folder, 'init', '-y');
  await npm(folder, 'install', tarball, ...others, ...QUIET);
  for (const file of ['headroom.yaml', 'examples/full.yaml']) cpSync(join(ROOT, file), join(folder, file));
  return folder;
}

function npm(cwd: string, ...args: readonly string[]): Promise<string> {
  return runCommand({ program: 'npm', args, cwd, env: ownEnvironment() });
}

/** The settings of the npm that runs this suite are not those of a user. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^npm_(?!config_)/.test(key)));
}
