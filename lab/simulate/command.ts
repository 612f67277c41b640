import { CONFIG, defineCommand, ENV, JSON_OPTION } from '../../cli/input/options';

export const addSimulate = defineCommand('simulate', {
  description: 'replay a demand trace on a simulated cluster, and compare wait times and cost',
  arguments: [['[trace]', 'the demand trace, like --demand']],
  options: [
    ['--demand <file>', 'a CSV with time,pool,pods or time,pool,cpu,memory; - for standard input'],
    ['--seed <n>', 'the same seed gives the same report', '1'],
    ['--node-delay <duration>', 'typical time from the launch of a node until it is ready', '50s'],
    ['--start <time>', 'start of relative times in the trace', '2026-11-17'],
    ['--timezone <zone>', 'zone of times without an offset (default: UTC; for --start, the zone of the windows)'],
    CONFIG,
    ENV,
    JSON_OPTION,
  ],
  load: async () => (await import('./simulate')).simulate,
  details: [
    "Each row of the trace sets the demand of a pool from that time on; the last row ends the trace. The demand is a number of pods, or cpu and memory, which are converted to pods of the size of the pool's unit, or of three quarters of a floor's node. Times are ISO times or durations such as 90m after --start. Lines that start with # are comments.",
    'The demand runs three times against the real handlers: with this config, without headroom, and with the peak of this config held all the time; for a floor this is the most nodes that it kept.',
  ],
  examples: {
    'simulate examples/trace.csv': 'print a table of the three runs',
    'simulate --demand trace.csv --node-delay 90s': 'the same for slower nodes',
  },
});
