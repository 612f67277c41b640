import type { Command } from 'commander';
import { CONFIG, ENV, JSON_OPTION, withGuide } from '../input/options';
import type { Run } from '../terminal/run';

export function addValidate(root: Command, run: Run): void {
  const command = root
    .command('validate')
    .description('check the config file and list every problem with file, line and column')
    .option(...CONFIG)
    .option(...ENV)
    .option(...JSON_OPTION)
    .action(async (options) => {
      run.exitCode = (await import('./validate')).validate(options, run.terminal);
    });
  withGuide(command, {
    details: [
      'Warnings and hints go to stderr and leave the exit code at 0. A warning is about what is probably not meant; a hint is about what may be cheaper.',
    ],
    examples: [
      { line: 'validate', does: 'check headroom.yaml in this folder' },
      { line: 'validate -e staging', does: 'check it merged with headroom.staging.yaml' },
    ],
  });
}
