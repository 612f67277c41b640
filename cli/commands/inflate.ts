import type { Command } from 'commander';
import { CONFIG, ENV, FUNCTION, JSON_OPTION, KUBECONFIG, withGuide } from '../options';
import type { Run } from '../run';

export function addInflate(root: Command, run: Run): void {
  const command = root
    .command('inflate')
    .description('order headroom at once, for a time, and wait until its nodes are ready')
    .argument('<nodepool>', 'whose headroom')
    .option('--nodes <n>', 'so many nodes, where the headroom is counted in nodes')
    .option('--slices <n>', 'so many slices, where it is counted in slices')
    .option('--for <duration>', 'for so long, at most 24h, such as 30m')
    .option('--reason <text>', 'why, for whoever looks at it later')
    .option('--exactly', 'pin it to exactly this size instead of at least')
    .option('--by <name>', 'who orders it (default: your user name)')
    .option('--no-wait', 'do not wait until the nodes are ready')
    .option('--timeout <duration>', 'give up waiting after this; the order stays in force', '10m')
    .option('-y, --yes', 'do not ask before a large order')
    .option('--ask-above-nodes <n>', 'what counts as large, in nodes', '20')
    .option('--ask-above-cost <dollars>', 'what counts as large, in dollars an hour where a price is set', '20')
    .option(...CONFIG)
    .option(...ENV)
    .option(...KUBECONFIG)
    .option(...FUNCTION)
    .option(...JSON_OPTION)
    .action(async (nodePool, options) => {
      run.exitCode = await (await import('../inflate/inflate')).inflate(nodePool, options, run.terminal);
    });
  withGuide(command, {
    details: [
      'An order replaces the one before it, ends by itself, and lasts at most 24 hours; what is permanent belongs in base. Windows, alarms and interruptions still count beside it, unless it is --exactly. It ends by the clock of the cluster or the function, not of this machine.',
      'It waits until what is wanted is ready, and ends with 2 when that does not happen before --timeout, with the reasons. Ctrl-C stops the waiting; the order stays in force.',
    ],
    examples: [
      {
        line: 'inflate default --nodes 6 --for 30m --reason "flash sale"',
        does: 'at least 6 nodes with room for the next half hour',
      },
      { line: 'inflate ci --slices 20 --for 2h --no-wait', does: 'order 20 slices and return at once' },
      {
        line: 'inflate default --nodes 0 --exactly --for 4h',
        does: 'no headroom for the next four hours, whatever the windows say',
      },
    ],
  });
}

export function addRelease(root: Command, run: Run): void {
  const command = root
    .command('release')
    .description("end a person's order; the config, alarms and interruptions decide again")
    .argument('[nodepool]', 'whose order')
    .option('--all', 'the orders of every NodePool')
    .option(...CONFIG)
    .option(...ENV)
    .option(...KUBECONFIG)
    .option(...FUNCTION)
    .option(...JSON_OPTION)
    .action(async (nodePool, options) => {
      run.exitCode = await (await import('../inflate/release')).release(nodePool, options, run.terminal);
    });
  withGuide(command, {
    examples: [
      { line: 'release default', does: 'the flash sale is over early' },
      { line: 'release --all', does: 'back to what the config says, everywhere' },
    ],
  });
}
