import type { Command } from 'commander';
import { OTHER_CLUSTER, withAccess } from '../access/options';
import { withGuide } from '../input/options';
import type { Run } from '../terminal/run';

export function addInflate(root: Command, run: Run): void {
  const command = root
    .command('inflate')
    .description('set an override: more headroom now, for a limited time, and wait until its nodes are ready')
    .argument('<nodepool>', 'the NodePool')
    .option('--more <n>', 'how many more nodes than there are, if the unit is a floor')
    .option('--nodes <n>', 'number of nodes in all, if the unit is a node or a floor')
    .option('--slices <n>', 'number of slices, if the unit is a slice')
    .option('--for <duration>', 'how long the override lasts, at most 24h')
    .option('--reason <text>', 'why, for the record')
    .option('--exactly', 'pin the headroom to this size instead of a minimum')
    .option('--by <name>', 'who sets it (default: your user name)')
    .option('--no-wait', 'return without waiting for the nodes')
    .option('--timeout <duration>', 'stop waiting after this; the override stays in force', '10m')
    .option('-y, --yes', 'do not ask before a large override')
    .option('--ask-above-nodes <n>', 'ask above this number of nodes', '20')
    .option('--ask-above-cost <dollars>', 'ask above this cost per hour, where price is set', '20');
  withAccess(command)
    .option(...OTHER_CLUSTER)
    .action(async (nodePool, options) => {
      run.exitCode = await (await import('./inflate')).inflate(nodePool, options, run.terminal);
    });
  withGuide(command, {
    details: [
      'A NodePool has one override at a time: a new one replaces the old one. It expires by itself after at most 24 hours; permanent headroom belongs in base. Windows, alarm boosts and interruption surges still count, unless you pass --exactly. In a floor pool --nodes 6 means that 6 nodes exist, used or not; --more 6 counts the nodes once, when the override is set. The expiry follows the clock of the cluster or the function, not of this machine.',
      'This is for people. A pipeline or another system announces a peak by an event instead, which may come twice, early or late: see docs/events.md.',
      'The command waits until the headroom is ready. If that does not happen before --timeout, it prints the reasons and exits with 2. Ctrl-C stops the waiting; the override stays in force.',
    ],
    examples: [
      {
        line: 'inflate default --nodes 6 --for 30m --reason "flash sale"',
        does: 'keep room on at least 6 nodes for half an hour',
      },
      {
        line: 'inflate web --more 6 --for 30m',
        does: 'in a floor pool: count the nodes now, and keep 6 more than these for half an hour',
      },
      { line: 'inflate ci --slices 20 --for 2h --no-wait', does: 'ask for 20 slices and return immediately' },
      {
        line: 'inflate default --nodes 0 --exactly --for 4h',
        does: 'hold no headroom for four hours, even in a window',
      },
    ],
  });
}
