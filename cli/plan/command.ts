import { CONFIG, defineCommand, ENV, JSON_OPTION, SPAN } from '../input/options';

export const addPlan = defineCommand('plan', {
  description: 'show the coming day per NodePool: windows, headroom, node-hours and cost',
  configArgument: true,
  options: [
    CONFIG,
    ENV,
    ...SPAN,
    ['--compare <file>', 'show what changes between this config and --config'],
    [
      '--live',
      'with the live schedules and announced peaks that count now, read from the deployed function or --kubeconfig',
    ],
    [
      '--kubeconfig <file>',
      'read what the NodePools require from the cluster of this file, to know their nodes; with --live also the live schedules',
    ],
    ['--function <name>', 'with --live: the deployed function'],
    ['--html <file>', 'write a self-contained HTML page'],
    JSON_OPTION,
  ],
  load: async () => (await import('./print-plan')).plan,
  details: [
    'In the picture, ━ marks an open window and ┄ its lead time. The blocks below show the headroom. Each column shows the highest value of its time span, so short peaks stay visible.',
    'A window with addNodes is shown as +6, shaded ▒: nobody knows yet how many nodes there will be when they are counted. Its node-hours and cost are what it adds at most.',
    'Node-hours are an upper bound: one node per replica of a node unit or a floor, nodes of minNode size for slices. Existing nodes with enough free room count too, so the real number can be lower. Cost is that of the cheapest node that fits within the pool block or, with --kubeconfig, the NodePool of the cluster, at the list price of the region, or the price of the config. Spot is estimated at a share of it. Alarm boosts, interruption surges and overrides come on top of the plan.',
    'Times without an offset are in UTC, or in --timezone if it is set.',
  ],
  examples: {
    plan: 'show the next 24 hours',
    'plan --to 7d --html plan.html': 'write the coming week to an HTML page',
    'plan --from 2026-11-27 --timezone Asia/Seoul': 'show one day in Seoul time; --from is read in that zone too',
    'plan --compare headroom.before.yaml': 'show what an edit changes, in nodes and dollars',
  },
});
