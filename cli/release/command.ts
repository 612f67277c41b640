import type { Command } from 'commander';
import { OTHER_CLUSTER, withAccess } from '../access/options';
import { withGuide } from '../input/options';
import type { Run } from '../terminal/run';

export function addRelease(root: Command, run: Run): void {
  const command = root
    .command('release')
    .description('end an override; windows, alarm boosts and interruption surges decide again')
    .argument('[nodepool]', 'the NodePool')
    .option('--all', 'end the overrides of all NodePools')
    .option('--reason <text>', 'why, for the record')
    .option('--by <name>', 'who ends it (default: your user name)');
  withAccess(command)
    .option(...OTHER_CLUSTER)
    .action(async (nodePool, options) => {
      run.exitCode = await (await import('./release')).release(nodePool, options, run.terminal);
    });
  withGuide(command, {
    examples: [
      { line: 'release default', does: 'end the override of one NodePool early' },
      { line: 'release --all', does: 'return every NodePool to its config' },
    ],
  });
}
