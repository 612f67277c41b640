import type { Command } from 'commander';
import { CONFIG, ENV, JSON_OPTION, withGuide } from '../options';
import type { Run } from '../run';

export function addMigrate(root: Command, run: Run): void {
  const command = root
    .command('migrate')
    .description(
      'print the steady move of a node group from Cluster Autoscaler to Karpenter, step by step; changes nothing',
    )
    .argument('[group]', 'the node group that goes; without it the groups are listed')
    .requiredOption('--kubeconfig <file>', 'the cluster to look at')
    .option('--nodepool <name>', 'the NodePool that takes its pods', 'default')
    .option('--keep <group>', 'the node group that remains (default: where the controllers are, or the largest other)')
    .option('--batch <nodes>', 'how many nodes go at a time', '1')
    .option('--for <duration>', 'how long the capacity is held at most', '4h')
    .option(...CONFIG)
    .option(...ENV)
    .option(...JSON_OPTION)
    .action(async (group, options) => {
      run.exitCode = await (await import('../migrate/migrate')).migrate(group, options, run.terminal);
    });
  withGuide(command, {
    details: [
      'It reads nodes, pods and a few Deployments and prints numbered steps with exact commands: keep coredns, metrics-server and the Karpenter controller on a group that remains, hold the capacity with headroom, stop Cluster Autoscaler, drain and remove nodes batch by batch while the hold shrinks, and release. Each step has its check and its way back.',
      'The whole group is held at once where max allows it; otherwise batch by batch. A group that must remain keeps two nodes.',
    ],
    examples: [
      { line: 'migrate --kubeconfig ~/.kube/config', does: 'list the node groups and what runs on them' },
      { line: 'migrate workers --kubeconfig ~/.kube/config --batch 2', does: 'print the steps, two nodes at a time' },
    ],
  });
}
