import type { Command } from 'commander';
import { CONFIG, ENV, withGuide } from '../options';
import type { Run } from '../run';

export function addHandle(root: Command, run: Run): void {
  const command = root
    .command('handle')
    .description('run one event or order through its handler, against any cluster')
    .argument('<event>', "a file with the event's JSON, or - for standard input")
    .requiredOption('--kubeconfig <file>', 'the cluster to talk to')
    .option(...CONFIG)
    .option(...ENV)
    .option('--at <time>', 'decide as if it were this time')
    .option('--dry-run', 'show the decisions and change nothing')
    .option('--cloudwatch', 'ask CloudWatch for alarm states (needs AWS credentials)')
    .action(async (event, options) => {
      run.exitCode = await (await import('../handle/handle')).handle(event, options, run.terminal);
    });
  withGuide(command, {
    details: [
      "The event goes through the very handler that AWS would call: a schedule's tick, an alarm's state change, a spot notice or a batch of them, or an order. The answer is printed as JSON, the log goes to standard error.",
    ],
    examples: [
      {
        line: 'handle event.json --kubeconfig ~/.kube/config --dry-run',
        does: 'show what a spot interruption, an alarm or a heartbeat would do',
      },
    ],
  });
}
