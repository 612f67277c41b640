import type { Command } from 'commander';
import { CONFIG, CONFIG_ARGUMENT, ENV, JSON_OPTION, withConfigArgument, withGuide } from '../input/options';
import type { Run } from '../terminal/run';

export function addValidate(root: Command, run: Run): void {
  const command = root
    .command('validate')
    .description('check the config file and list every problem with file, line and column')
    .argument(...CONFIG_ARGUMENT)
    .option(...CONFIG)
    .option(...ENV)
    .option(...JSON_OPTION)
    .action(async (file, options, command) => {
      run.exitCode = (await import('./validate')).validate(withConfigArgument(file, options, command), run.terminal);
    });
  withGuide(command, {
    details: [
      'Warnings and hints go to stderr and leave the exit code at 0. A warning points to something that you probably did not mean; a hint points to something that may be cheaper.',
    ],
    examples: [
      { line: 'validate', does: 'check headroom.yaml in this folder' },
      { line: 'validate -e staging', does: 'check it merged with headroom.staging.yaml' },
    ],
  });
}
