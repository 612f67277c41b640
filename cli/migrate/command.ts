import type { Command } from 'commander';
import { CONFIG, ENV, JSON_OPTION, withGuide } from '../input/options';
import type { Run } from '../terminal/run';

export function addMigrate(root: Command, run: Run): void {
  const command = root
    .command('migrate')
    .description('print the steps to move a node group from Cluster Autoscaler to Karpenter; changes nothing')
    .argument('[group]', 'the node group to move; without it, list the node groups')
    .requiredOption('--kubeconfig <file>', 'the cluster')
    .option('--nodepool <name>', 'the NodePool that takes over the pods', 'default')
    .option(
      '--keep <group>',
      'the node group that stays (default: where the controllers run, otherwise the largest other group)',
    )
    .option('--batch <nodes>', 'how many nodes to drain at a time', '1')
    .option('--for <duration>', 'how long to hold the capacity at most', '4h')
    .option(...CONFIG)
    .option(...ENV)
    .option(...JSON_OPTION)
    .action(async (group, options) => {
      run.exitCode = await (await import('./migrate')).migrate(group, options, run.terminal);
    });
  withGuide(command, {
    details: [
      'It reads nodes, pods and a few Deployments, and prints numbered steps with the commands to run: pin coredns, metrics-server and the Karpenter controller to a node group that stays, hold the capacity with an override, stop Cluster Autoscaler, cordon the whole group, drain and remove its nodes in batches while the hold shrinks, and release it. Each step comes with a check and a way to undo it.',
      'The capacity of the whole group is held at once if max allows it, otherwise batch by batch. A group that has to stay keeps two nodes.',
    ],
    examples: [
      { line: 'migrate --kubeconfig ~/.kube/config', does: 'list the node groups and what runs on them' },
      { line: 'migrate workers --kubeconfig ~/.kube/config --batch 2', does: 'print the steps, two nodes at a time' },
    ],
  });
}
