import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../../cluster/harness/process/lock';
import { runCommand } from '../../cluster/harness/process/run-command';
import { cacheRoot, deployedNode, npmInstall } from './deployed-node';
import { POLICY_EVALUATOR, VERSIONS } from './versions';

/** Raised when the way of installing changes, so that what an older recipe installed is left alone. */
const RECIPE = 1;
const CONSTRAINTS = join(__dirname, '..', 'constraints.txt');

/** What the suite installs, outside of the checkout, so that a fresh clone finds it. */
export interface Installation {
  readonly python: string;
  readonly cfnLint: string;
  /** Starts a function the way Lambda does. */
  readonly runtimeClient: string;
  /** The program of Node.js in the version that the functions run on. */
  readonly node: string;
  /** The module that evaluates IAM policies. Its licence (AGPL) is not ours: it runs in a process of its own. */
  readonly policyEvaluator: string;
}

/** Why there can be no installation here, or `undefined`. */
export async function missingForInstallation(): Promise<string | undefined> {
  const wanted = [
    { program: 'python3', args: ['-c', 'import venv, ensurepip'], what: 'Python 3 with venv (Debian: python3-venv)' },
    { program: 'npm', args: ['--version'], what: 'npm' },
    ...(process.platform === 'linux'
      ? [
          { program: 'cmake', args: ['--version'], what: 'cmake' },
          { program: 'make', args: ['--version'], what: 'make' },
          { program: 'g++', args: ['--version'], what: 'g++' },
        ]
      : []),
  ];
  const missing: string[] = [];
  for (const { program, args, what } of wanted) await runCommand({ program, args }).catch(() => missing.push(what));
  // The runtime interface client has no other build.
  if (process.platform !== 'linux') missing.push('Linux');
  return missing.length === 0 ? undefined : `the emulated-AWS suite needs ${missing.join(', ')}`;
}

/** Installs what is missing, once for each set of versions. */
export async function install(say: (message: string) => void): Promise<Installation> {
  const folder = join(cacheRoot(), `aws-${await key()}`);
  mkdirSync(cacheRoot(), { recursive: true });
  await withLock(`${folder}.lock`, async () => {
    await once(folder, 'venv', () => installPython(join(folder, 'venv'), say));
    await once(folder, 'npm', () => installNpm(join(folder, 'npm'), say));
  });
  const modules = join(folder, 'npm', 'node_modules');
  return {
    python: join(folder, 'venv', 'bin', 'python'),
    cfnLint: join(folder, 'venv', 'bin', 'cfn-lint'),
    runtimeClient: join(modules, 'aws-lambda-ric', 'index.mjs'),
    node: await deployedNode(say),
    policyEvaluator: await installPolicyEvaluator(say),
  };
}

async function key(): Promise<string> {
  const python = await runCommand({
    program: 'python3',
    args: ['-c', 'import sys; print(sys.executable, sys.version)'],
  });
  const all = [RECIPE, VERSIONS, readFileSync(CONSTRAINTS, 'utf8'), python, process.platform, process.arch];
  return createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 16);
}

/** An installation that was cut off is started again: a virtual environment cannot be moved into its place. */
async function once(folder: string, part: string, work: () => Promise<void>): Promise<void> {
  const done = join(folder, `${part}.done`);
  if (existsSync(done)) return;
  rmSync(join(folder, part), { recursive: true, force: true });
  mkdirSync(join(folder, part), { recursive: true });
  await work();
  writeFileSync(done, '');
}

async function installPython(folder: string, say: (message: string) => void): Promise<void> {
  say(`installing moto ${VERSIONS.moto} and cfn-lint ${VERSIONS.cfnLint} into ${folder}`);
  await runCommand({ program: 'python3', args: ['-m', 'venv', folder] });
  const packages = [`moto[server,all]==${VERSIONS.moto}`, `cfn-lint==${VERSIONS.cfnLint}`];
  await runCommand({
    program: join(folder, 'bin', 'python'),
    args: ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-c', CONSTRAINTS, ...packages],
  });
}

async function installNpm(folder: string, say: (message: string) => void): Promise<void> {
  say(`building the Lambda runtime interface client ${VERSIONS.runtimeClient} in ${folder}`);
  await npmInstall(folder, {
    private: true,
    dependencies: { 'aws-lambda-ric': VERSIONS.runtimeClient },
    // Its install scripts build the native part.
    allowScripts: { 'aws-lambda-ric': true },
  });
}

async function installPolicyEvaluator(say: (message: string) => void): Promise<string> {
  const version = POLICY_EVALUATOR['@cloud-copilot/iam-simulate'];
  const folder = join(cacheRoot(), `iam-${version}`);
  mkdirSync(folder, { recursive: true });
  await withLock(`${folder}.lock`, () =>
    once(folder, 'npm', () => {
      say(`installing @cloud-copilot/iam-simulate ${version} in ${folder}`);
      return npmInstall(join(folder, 'npm'), { private: true, dependencies: POLICY_EVALUATOR });
    }),
  );
  return join(folder, 'npm', 'node_modules', '@cloud-copilot', 'iam-simulate', 'dist', 'esm', 'index.js');
}
