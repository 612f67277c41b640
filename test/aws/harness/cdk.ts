import { join } from 'node:path';
import { runCommand } from '../../cluster/harness/process/run-command';
import { ACCOUNT, type Emulator, REGION } from './emulator';

const ROOT = join(__dirname, '..', '..', '..');

/** Runs the CDK's command line on our app against the emulator, as a person would against AWS. */
export function cdk(emulator: Emulator, home: string, ...args: readonly string[]): Promise<string> {
  return run(emulator, home, ROOT, [...args, '--output', join(home, 'cdk.out')]);
}

/** Removes what the last command synthesized, without doing that again: all of it, or the stacks that are named. */
export function destroy(emulator: Emulator, home: string, ...stacks: readonly string[]): Promise<string> {
  const which = stacks.length > 0 ? stacks : ['--all'];
  return run(emulator, home, ROOT, ['destroy', ...which, '--force', '--app', join(home, 'cdk.out')]);
}

/** Prepares the emulated account; outside of the checkout, where there is no app to synthesize first. */
export function bootstrap(emulator: Emulator, home: string): Promise<string> {
  return run(emulator, home, home, ['bootstrap', `aws://${ACCOUNT}/${REGION}`]);
}

function run(emulator: Emulator, home: string, cwd: string, args: readonly string[]): Promise<string> {
  return runCommand({
    program: process.execPath,
    args: [join(ROOT, 'node_modules', 'aws-cdk', 'bin', 'cdk'), ...args],
    cwd,
    env: {
      ...process.env,
      ...emulator.environment,
      // Nothing of the person who runs the tests, and nothing for the world.
      AWS_CONFIG_FILE: join(home, 'config'),
      AWS_SHARED_CREDENTIALS_FILE: join(home, 'credentials'),
      CDK_HOME: home,
      CDK_DISABLE_CLI_TELEMETRY: 'true',
      CI: 'true',
    },
  });
}
