import { OTHER_CLUSTER } from '../../cli/input/access-options';
import { CONFIG, defineCommand, ENV } from '../../cli/input/options';

export const addSandbox = defineCommand('sandbox', {
  description: 'run the real handlers against a simulated cluster, with a web console; npm start runs this',
  configArgument: true,
  options: [
    CONFIG,
    ENV,
    ['--scenario <id>', 'what happens in the simulation: lunch, market, storm or flash', 'lunch'],
    ['--seed <n>', 'the same seed gives the same run', '1'],
    ['--faults <spec>', 'on, off, or shares such as lost=0.1,doubled=0.1,late=0.1,api=0.1', 'off'],
    ['--node-delay <duration>', 'time from the launch of a node until it is ready', '50s'],
    [
      '--start <time>',
      'the scenario begins at its first opportunity after this (default: now; with --headless 2026-03-02)',
    ],
    ['--speed <n>', 'simulated seconds per second, 1 to 1000', '60'],
    ['--port <n>', "the console's port (default: 4100, or a free port)"],
    ['--kubeconfig <file>', 'show a real cluster instead, in real time'],
    [
      '--stack <name>',
      'with --kubeconfig: whose headroom overrides are for (default: the owner found in the namespace)',
    ],
    OTHER_CLUSTER,
    ['--headless', 'no console: run at full speed and print the result'],
    ['--until <duration>', 'with --headless: how long to simulate', '24h'],
    ['--report', 'with --headless: print what headstart report would say, beside the truth'],
    ['--json', 'with --headless: print JSON'],
  ],
  load: async () => (await import('./sandbox')).sandbox,
  details: [
    'The console opens on loopback. It shows the headroom, the nodes and every decision with its reasons. The config is read again whenever it changes.',
    'With --kubeconfig it shows a real cluster. It runs no handlers there and writes nothing by itself; Inflate and Release send overrides as the commands inflate and release do.',
  ],
  examples: {
    sandbox: 'open the console with headroom.yaml',
    'sandbox --scenario storm': 'simulate a wave of spot interruptions',
    'sandbox --kubeconfig ~/.kube/config': 'show a real cluster',
    'sandbox --headless --json --until 6h': 'simulate six hours and print the result',
  },
});
