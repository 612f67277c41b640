import type { Command } from 'commander';
import { OTHER_CLUSTER } from '../access/options';
import { CONFIG, ENV, withGuide } from '../input/options';
import type { Run } from '../terminal/run';

export function addHandle(root: Command, run: Run): void {
  const command = root
    .command('handle')
    .description('run one event or override through its handler, against any cluster')
    .argument('<event>', 'a JSON file with the event, or - for standard input')
    .requiredOption('--kubeconfig <file>', 'the cluster')
    .option(...CONFIG)
    .option(...ENV)
    .option('--at <time>', 'decide as of this time (default: now, and for a heartbeat or window edge its own time)')
    .option('--stack <name>', 'whose headroom it is (default: the owner found in the namespace)')
    .option(...OTHER_CLUSTER)
    .option('--dry-run', 'print the decisions and change nothing')
    .option('--node-pool <name>', 'the event announces a peak of this NodePool; with --event')
    .option('--event <name>', 'which of its events it is')
    .option('--cancel', 'it matches the cancel pattern of that event')
    .option('--cloudwatch', 'read alarm states from CloudWatch (needs AWS credentials)')
    .action(async (event, options) => {
      run.exitCode = await (await import('./handle')).handle(event, options, run.terminal);
    });
  withGuide(command, {
    details: [
      'The event goes through the same handler that runs in AWS: a schedule tick, an alarm state change, an interruption notice or a batch of them, an override, or an announced peak: the message of its queue, or the event itself with --node-pool and --event. The response is printed as JSON; the log goes to standard error.',
    ],
    examples: [
      {
        line: 'handle event.json --kubeconfig ~/.kube/config --dry-run',
        does: 'show what an interruption notice, an alarm or a heartbeat would do',
      },
      {
        line: 'handle campaign.json --node-pool default --event campaign --kubeconfig ~/.kube/config --dry-run',
        does: 'show what an announced peak would do',
      },
    ],
  });
}
