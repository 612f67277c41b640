import { CONFIG, defineCommand, ENV, JSON_OPTION, REQUIRED } from '../../cli/input/options';

export const addMigrate = defineCommand('migrate', {
  description: 'print the steps to move a node group from Cluster Autoscaler to Karpenter; changes nothing',
  arguments: [['[group]', 'the node group to move; without it, list the node groups']],
  options: [
    ['--kubeconfig <file>', 'the cluster', REQUIRED],
    ['--nodepool <name>', 'the NodePool that takes over the pods', 'default'],
    [
      '--keep <group>',
      'the node group that stays (default: where the controllers run, otherwise the largest other group)',
    ],
    ['--batch <nodes>', 'how many nodes to drain at a time', '1'],
    ['--for <duration>', 'how long to hold the capacity at most', '4h'],
    CONFIG,
    ENV,
    JSON_OPTION,
  ],
  load: async () => (await import('./migrate')).migrate,
  details: [
    'It reads nodes, pods and a few Deployments, and prints numbered steps with the commands to run: pin coredns, metrics-server and the Karpenter controller to a node group that stays, hold the capacity with an override, stop Cluster Autoscaler, cordon the whole group, drain and remove its nodes in batches while the hold shrinks, and release it. Each step comes with a check and a way to undo it.',
    'The capacity of the whole group is held at once if max allows it, otherwise batch by batch. A group that has to stay keeps two nodes.',
  ],
  examples: {
    'migrate --kubeconfig ~/.kube/config': 'list the node groups and what runs on them',
    'migrate workers --kubeconfig ~/.kube/config --batch 2': 'print the steps, two nodes at a time',
  },
});
