import type { Command } from 'commander';
import { withAccess } from '../access/options';
import { withGuide } from '../input/options';
import type { Run } from '../terminal/run';

export function addReport(root: Command, run: Run): void {
  const command = root.command('report').description('show what headroom cost and brought, each figure with its bound');
  withAccess(command)
    .option('--from <time>', 'start, as a time or a duration before now', '7d')
    .option('--to <time>', 'end, as a time or a duration after --from', 'now')
    .option(
      '--prometheus <url>',
      'also show how long pods waited for a node; a bearer token may be in PROMETHEUS_TOKEN',
    )
    .option('--svg <file>', 'write an SVG picture of each NodePool')
    .action(async (options) => {
      run.exitCode = await (await import('./report')).report(options, run.terminal);
    });
  withGuide(command, {
    details: [
      'Sources are the metrics of each NodePool, the log of the functions and the record in the cluster, read with the AWS credentials of this shell. What cannot be read, or is no longer kept, is said; nothing is guessed.',
      'Node-hours and cost are at most, for the size that was asked for. Units that work took are at least: room that is refilled within two minutes leaves no trace in metrics by the minute.',
    ],
    examples: [
      { line: 'report', does: 'show the last seven days' },
      { line: 'report --from 30d --svg report.svg', does: 'show a month, and draw it' },
      { line: 'report --from 2026-11-16 --to 24h --json', does: 'print one day as JSON' },
    ],
  });
}
