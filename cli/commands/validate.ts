import type { Command } from 'commander';
import { CONFIG, ENV, JSON_OPTION, withGuide } from '../options';
import type { Run } from '../run';

export function addValidate(root: Command, run: Run): void {
  const command = root
    .command('validate')
    .description('check a config file: every problem at once, with file, line and column')
    .option(...CONFIG)
    .option(...ENV)
    .option(...JSON_OPTION)
    .action(async (options) => {
      run.exitCode = (await import('../validate/validate')).validate(options, run.terminal);
    });
  withGuide(command, {
    examples: [
      { line: 'validate', does: 'check headroom.yaml of this folder' },
      { line: 'validate -e staging', does: 'check it with headroom.staging.yaml laid over it' },
    ],
  });
}
