import type { Command } from 'commander';
import { CONFIG, ENV, JSON_OPTION, withGuide } from '../input/options';
import type { Run } from '../terminal/run';

export function addSimulate(root: Command, run: Run): void {
  const command = root
    .command('simulate')
    .description('replay a demand trace on a simulated cluster, and compare wait times and cost')
    .argument('[trace]', 'the demand trace, like --demand')
    .option('--demand <file>', 'a CSV with time,pool,pods or time,pool,cpu,memory; - for standard input')
    .option('--make-trace', 'print an example trace for the first NodePool')
    .option('--seed <n>', 'the same seed gives the same report', '1')
    .option('--node-delay <duration>', 'typical time from the launch of a node until it is ready', '50s')
    .option('--start <time>', 'start of relative times in the trace, and of --make-trace', '2026-11-17')
    .option(
      '--timezone <zone>',
      'zone of times without an offset, and of the plots (default: UTC for the trace, the zone of the windows for the plots)',
    )
    .option('--html <file>', 'write a self-contained HTML report with plots')
    .option(...CONFIG)
    .option(...ENV)
    .option(...JSON_OPTION)
    .action(async (trace, options) => {
      run.exitCode = await (await import('./simulate')).simulate(trace, options, run.terminal);
    });
  withGuide(command, {
    details: [
      "Each row of the trace sets the demand of a pool from that time on; the last row ends the trace. The demand is a number of pods, or cpu and memory, which are converted to pods of the size of the pool's unit, or of three quarters of a floor's node. Times are ISO times or durations such as 90m after --start. Lines that start with # are comments.",
      'The demand runs three times against the real handlers: with this config, without headroom, and with the peak of this config held all the time; for a floor this is the most nodes that it kept. --make-trace prints two weeks of a web shop: 3 pods at night, one more during the working day, 6 more between 11:37 and 13:10 on weekdays, with some variation.',
    ],
    examples: [
      { line: 'simulate examples/trace.csv', does: 'print a table of the three runs' },
      {
        line: 'simulate --demand trace.csv --html report.html --node-delay 90s',
        does: 'write a report with plots, for slower nodes',
      },
      { line: 'simulate --make-trace --seed 7 > trace.csv', does: 'write an example trace to start from' },
    ],
  });
}
