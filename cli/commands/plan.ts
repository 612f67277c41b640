import type { Command } from 'commander';
import { CONFIG, ENV, JSON_OPTION, withGuide } from '../options';
import type { Run } from '../run';

export function addPlan(root: Command, run: Run): void {
  const command = root
    .command('plan')
    .description('show how the headroom will change by the config and the clock, what it takes and what it costs')
    .option(...CONFIG)
    .option(...ENV)
    .option('--from <time>', 'start, such as 2026-11-27 or 2026-11-27T08:00:00Z', 'now')
    .option('--to <time>', 'end, as a time or a length such as 24h or 7d', '24h')
    .option('--timezone <zone>', "draw in this time zone (default: each NodePool's own windows' zone)")
    .option('--compare <file>', 'show what changes from this config to --config')
    .option('--html <file>', 'write a page with the pictures, complete in one file')
    .option('--svg <file>', 'write one picture')
    .option(...JSON_OPTION)
    .action(async (options) => {
      run.exitCode = (await import('../plan/plan')).plan(options, run.terminal);
    });
  withGuide(command, {
    details: [
      'The picture: ━ while a window is open, ┄ while its nodes are asked for ahead of it, and below them the size as blocks. A column shows the highest size of its time, so that a short peak never vanishes.',
      'Node-hours are the most that the headroom takes: one node for each replica of the node unit, nodes of minNode for slices. Existing nodes with room count too, so that it may be less. Cost is shown where a price is set. Alarms, interruptions and orders come on top of the plan.',
      'Times without an offset are UTC, or local to --timezone where that is given.',
    ],
    examples: [
      { line: 'plan', does: 'draw the next 24 hours' },
      { line: 'plan --to 7d --html plan.html', does: 'put the coming week on a page to share' },
      {
        line: 'plan --from 2026-11-27 --timezone Asia/Seoul',
        does: 'draw one day in the time of Seoul; --from is read in that zone too',
      },
      { line: 'plan --compare headroom.before.yaml', does: 'show what an edit changes, in nodes and dollars' },
    ],
  });
}
