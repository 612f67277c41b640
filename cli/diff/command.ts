import type { Command } from 'commander';
import { CONFIG, ENV, JSON_OPTION, withGuide } from '../input/options';
import type { Run } from '../terminal/run';

export function addDiff(root: Command, run: Run): void {
  const command = root
    .command('diff')
    .description('show what a deploy of this config would change: sizes over the coming day, and Kubernetes objects')
    .option(...CONFIG)
    .option(...ENV)
    .option('--from <time>', 'start, such as 2026-11-27 or 2026-11-27T08:00:00Z', 'now')
    .option('--to <time>', 'end, as a time or a duration such as 24h or 7d', '24h')
    .option('--timezone <zone>', 'show times in this time zone (default: the zone of most windows)')
    .option('--function <name>', 'the deployed function (default: the one that the deploy created for this cluster)')
    .option(
      '--kubeconfig <file>',
      'read what the NodePools require from the cluster of this file, to know their nodes and cost',
    )
    .option(...JSON_OPTION)
    .action(async (options) => {
      run.exitCode = await (await import('./diff')).diff(options, run.terminal);
    });
  withGuide(command, {
    details: [
      'diff reads the deployed config with one call to the inflate function, so it needs AWS credentials that may invoke it. It changes nothing.',
      'Objects are compared as this version of Headstart would write them for each of the two configs. What a new version of Headstart changes is in its upgrade notes; cdk diff shows the AWS resources. The Karpenter stack is not included.',
    ],
    examples: [
      { line: 'diff', does: 'before a deploy: what the edit of headroom.yaml changes in the next 24 hours' },
      { line: 'diff -e staging --to 7d', does: 'the same for another overlay, over a week' },
    ],
  });
}
