import type { Command } from 'commander';
import { CONFIG, CONFIG_ARGUMENT, ENV, withConfigArgument, withGuide } from '../input/options';
import type { Run } from '../terminal/run';

export function addSandbox(root: Command, run: Run): void {
  const command = root
    .command('sandbox')
    .description('run the real handlers against a simulated cluster, with a web console; npm start runs this')
    .argument(...CONFIG_ARGUMENT)
    .option(...CONFIG)
    .option(...ENV)
    .option('--scenario <id>', 'what happens in the simulation: lunch, market, storm or flash', 'lunch')
    .option('--seed <n>', 'the same seed gives the same run', '1')
    .option('--faults <spec>', 'on, off, or shares such as lost=0.1,doubled=0.1,late=0.1,api=0.1', 'off')
    .option('--node-delay <duration>', 'time from the launch of a node until it is ready', '50s')
    .option('--start <time>', "start of the simulation's clock (default: now; with --headless 2026-03-02)")
    .option('--speed <n>', 'simulated seconds per second, 1 to 1000', '60')
    .option('--port <n>', "the console's port (default: 4100, or a free port)")
    .option('--kubeconfig <file>', 'show a real cluster instead, in real time')
    .option('--act', 'with --kubeconfig: change the cluster right away')
    .option('--headless', 'no console: run at full speed and print the result')
    .option('--until <duration>', 'with --headless: how long to simulate', '24h')
    .option('--report', 'with --headless: print what headstart report would say, beside the truth')
    .option('--json', 'with --headless: print JSON')
    .action(async (file, options, command) => {
      run.exitCode = await (await import('./sandbox')).sandbox(withConfigArgument(file, options, command), run);
    });
  withGuide(command, {
    details: [
      'The console opens on loopback. It shows the headroom, the nodes and every decision with its reasons. The config is read again whenever it changes.',
      'With --kubeconfig it shows a real cluster and only reads. Nothing is written until you press "act" in the console or start with --act.',
    ],
    examples: [
      { line: 'sandbox', does: 'open the console with headroom.yaml' },
      { line: 'sandbox --scenario storm', does: 'simulate a wave of spot interruptions' },
      { line: 'sandbox --kubeconfig ~/.kube/config', does: 'show a real cluster, read-only' },
      { line: 'sandbox --headless --json --until 6h', does: 'simulate six hours and print the result' },
    ],
  });
}
