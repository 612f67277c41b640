import { Command } from 'commander';

/** Where the outcome goes: `process` in the command, a fake in tests. */
export interface Run {
  exitCode: number;
}

const CONFIG = ['-c, --config <file>', 'the config file', 'headroom.yaml'] as const;
const ENV = ['-e, --env <name>', 'lay headroom.<name>.yaml over it'] as const;
const KUBECONFIG = ['--kubeconfig <file>', 'the cluster to talk to'] as const;

/** The command line; each command's code is loaded only when it runs. */
export function program(run: Run, clock: () => number = Date.now): Command {
  const root = new Command('headstart')
    .description('nodes ready ahead of the peak: headroom for EKS clusters that run Karpenter')
    .version('0.1.0')
    .showHelpAfterError('(run with --help for what can be written)');

  root
    .command('validate')
    .description('check a config file: every problem at once, with file, line and column')
    .option(...CONFIG)
    .option(...ENV)
    .option('--json', 'print JSON')
    .action(async (options) => {
      run.exitCode = (await import('./commands/validate')).validate(options);
    });

  root
    .command('plan')
    .description('show how the headroom will change by the config and the clock')
    .option(...CONFIG)
    .option(...ENV)
    .option('--from <time>', 'start, such as 2026-11-27 or 2026-11-27T08:00:00Z', 'now')
    .option('--to <time>', 'end, as a time or a length such as 24h or 7d', '24h')
    .option('--json', 'print JSON')
    .action(async (options) => {
      run.exitCode = (await import('./commands/plan')).plan(options, clock());
    });

  root
    .command('handle')
    .description('run one event or order through its handler, against any cluster')
    .argument('<event>', "a file with the event's JSON, or - for standard input")
    .requiredOption(...KUBECONFIG)
    .option(...CONFIG)
    .option(...ENV)
    .option('--at <time>', 'decide as if it were this time')
    .option('--dry-run', 'show the decisions and change nothing')
    .option('--cloudwatch', 'ask CloudWatch for alarm states (needs AWS credentials)')
    .action(async (event, options) => {
      run.exitCode = await (await import('./commands/handle')).handle(event, options, clock);
    });

  return root;
}
