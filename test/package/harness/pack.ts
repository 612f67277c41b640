import { cpSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { devDependencies } from '../../../package.json';
import { runCommand } from '../../cluster/harness/run-command';
import { sharePacked } from './packed';

const ROOT = join(__dirname, '..', '..', '..');
const QUIET = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

/** Packs the package and installs it into two empty folders, outside of the checkout. */
export default async function pack(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'headstart-package-'));
  await npm(ROOT, 'pack', '--pack-destination', root, '--loglevel=error');
  const [tarball = ''] = readdirSync(root).filter((file) => file.endsWith('.tgz'));
  const cdk = `aws-cdk-lib@${devDependencies['aws-cdk-lib']}`;
  const constructs = `constructs@${devDependencies.constructs}`;
  sharePacked({
    root,
    tarball: join(root, tarball),
    withCdk: await installed(root, 'with-cdk', tarball, cdk, constructs),
    alone: await installed(root, 'alone', tarball),
  });
}

async function installed(root: string, name: string, tarball: string, ...others: readonly string[]): Promise<string> {
  const folder = join(root, name);
  mkdirSync(folder);
  await npm(folder, 'init', '-y');
  await npm(folder, 'install', `../${tarball}`, ...others, ...QUIET);
  for (const file of ['headroom.yaml', 'examples/full.yaml']) cpSync(join(ROOT, file), join(folder, file));
  return folder;
}

function npm(cwd: string, ...args: readonly string[]): Promise<string> {
  // The settings of the npm that runs this suite are not those of a user.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(?!config_)/.test(name)));
  return runCommand({ program: 'npm', args, cwd, env });
}
