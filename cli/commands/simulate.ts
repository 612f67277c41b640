import type { Command } from 'commander';
import { CONFIG, ENV, JSON_OPTION, withGuide } from '../options';
import type { Run } from '../run';

export function addSimulate(root: Command, run: Run): void {
  const command = root
    .command('simulate')
    .description(
      'replay a demand trace on the simulated cluster: how long pods would wait and what it would cost, with this config, with none, with constant headroom',
    )
    .option(
      '--demand <file>',
      'a CSV with time,pool,pods, or time,pool,cpu,memory; from each row on so much is wanted; - for standard input',
    )
    .option('--make-trace', 'print an example trace for the first NodePool instead: two days of a shop')
    .option('--seed <n>', 'the same seed, the same report, byte for byte', '1')
    .option('--node-delay <duration>', 'how long a node takes from its order until it is ready, about', '50s')
    .option(
      '--start <time>',
      'what times such as 90m in the trace count from, and where --make-trace begins',
      '2026-11-17',
    )
    .option(
      '--timezone <zone>',
      "of times without an offset, and of the plots (default: the windows' zone, UTC for the trace)",
    )
    .option('--html <file>', 'write a report with plots, complete in one file')
    .option(...CONFIG)
    .option(...ENV)
    .option(...JSON_OPTION)
    .action(async (options) => {
      run.exitCode = await (await import('../simulate/simulate')).simulate(options, run.terminal);
    });
  withGuide(command, {
    details: [
      "A trace is a CSV with the columns time, pool and pods; or time, pool, cpu and memory, which are counted into pods of the size of the pool's unit. From each row on so much is wanted in that pool; the last row ends the trace. Times are ISO times, or lengths such as 90m from --start; lines that begin with # are comments.",
      "The same demand runs three times on the sandbox's engine, with the real handlers: with this config, without headroom, and with its peak held all the time. --make-trace prints two days of a shop: 3 pods at night, up to 3 more over the working day, 6 more within minutes of 11:35 until 13:10 on weekdays, 2 more around 19:00; days differ a little, and now and then half an hour is off by a pod.",
    ],
    examples: [
      { line: 'simulate --demand examples/trace.csv', does: 'compare the three ways in a table' },
      { line: 'simulate --demand trace.csv --html report.html --node-delay 90s', does: 'with plots, and slower nodes' },
      { line: 'simulate --make-trace --seed 7 > trace.csv', does: 'make a trace to start from' },
    ],
  });
}
