import { ACCESS } from '../input/access-options';
import { defineCommand } from '../input/options';

export const addReport = defineCommand('report', {
  description: 'show what headroom cost and brought, each figure with its bound',
  options: [
    ...ACCESS,
    ['--from <time>', 'start, as a time or a duration before now', '7d'],
    ['--to <time>', 'end, as a time or a duration after --from', 'now'],
    [
      '--prometheus <url>',
      'also show how long pods waited for a node, which size would have been enough, and which nodes of floors ran work; a bearer token may be in PROMETHEUS_TOKEN',
    ],
    ['--svg <file>', 'write an SVG picture of each NodePool'],
  ],
  load: async () => (await import('./print-report')).report,
  details: [
    'Sources are the metrics of each NodePool, the log of the functions and the record in the cluster, read with the AWS credentials of this shell. What cannot be read, or is no longer kept, is said; nothing is guessed.',
    'Node-hours and cost are at most, for the size that was asked for. Units that work took are exact, to the pause pod; at least, where metrics, log or Events have gaps.',
  ],
  examples: {
    report: 'show the last seven days',
    'report --from 30d --svg report.svg': 'show a month, and draw it',
    'report --from 2026-11-16 --to 24h --json': 'print one day as JSON',
  },
});
