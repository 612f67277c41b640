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
    ['--demand <file>', 'learn windows from a CSV with time,pool,pods, as suggest does'],
    ['--prometheus <url>', 'learn windows from the last four weeks in Prometheus'],
    ['--cloudwatch <query>', 'learn windows from a CloudWatch metric or expression; see suggest'],
    ['--stat <statistic>', 'statistic of a CloudWatch metric, such as Sum', 'Average'],
    ['--per-unit <amount>', 'how much of the value one unit of headroom serves'],
    ['--pool <name>', 'the NodePool of a history that names none'],
    ['--app', 'also write app.mjs and cdk.json, beside the config'],
    ['--force', 'overwrite files'],
  ],
  load: async () => (await import('./init')).init,
  details: [
    'With --kubeconfig each NodePool gets an entry. Its unit has the size of the largest pod that runs there, so that one replica makes room for any of them. Where a NodePool allows several architectures but all its nodes have one, the headroom is kept to that one. Taints need no settings: headroom tolerates those of its NodePool.',
    'With --demand, --prometheus or --cloudwatch the first config has learned windows: the same as suggest would write, with a max that allows them. Without --kubeconfig the history names the NodePools.',
    'Any other config written from a cluster requests no headroom yet. Add schedules, or a base, and look at them with plan.',
  ],
  examples: {
    init: 'write a headroom.yaml with one NodePool and a lunch window, to edit',
    'init --kubeconfig ~/.kube/config': "write one with the cluster's own NodePools",
    'init --kubeconfig ~/.kube/config --prometheus http://127.0.0.1:9090':
      'the same, with windows learned from four weeks of demand',
    'init --app': 'also write the CDK app that deploys it: npx cdk deploy --all',
  },
});
