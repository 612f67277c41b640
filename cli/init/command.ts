import { defineCommand } from '../input/options';

export const addInit = defineCommand('init', {
  description: 'write a headroom.yaml to start from, and a small CDK app if asked',
  options: [
    ['-o, --out <file>', 'the config file', 'headroom.yaml'],
    [
      '--kubeconfig <file>',
      'read the NodePools of this cluster, and the largest pod on each; nothing is written to it',
    ],
    ['--cluster <name>', 'the EKS cluster (default: as the kubeconfig names it, else a placeholder to edit)'],
    ['--region <region>', 'its AWS region (default: likewise)'],
    ['--app', 'also write app.mjs and cdk.json, beside the config'],
    ['--force', 'overwrite files'],
  ],
  load: async () => (await import('./init')).init,
  details: [
    'With --kubeconfig each NodePool gets an entry. Its unit has the size of the largest pod that runs there, so that one replica makes room for any of them. Where a NodePool allows several architectures but all its nodes have one, the headroom is kept to that one. Taints need no settings: headroom tolerates those of its NodePool.',
    'A config written from a cluster requests no headroom yet. Add schedules or a base, or learn windows from past demand with suggest, and look at them with plan.',
  ],
  examples: {
    init: 'write a headroom.yaml with one NodePool and a lunch window, to edit',
    'init --kubeconfig ~/.kube/config': "write one with the cluster's own NodePools",
    'init --app': 'also write the CDK app that deploys it: npx cdk deploy --all',
  },
});
