import { CONFIGS, defineCommand, ENV, JSON_OPTION, ROLE, SPAN, WAVE } from '../input/options';

export const addDiff = defineCommand('diff', {
  description: 'show what a deploy of this config would change: sizes over the coming day, and Kubernetes objects',
  options: [
    CONFIGS,
    ENV,
    ROLE,
    WAVE,
    ...SPAN,
    ['--function <name>', 'the deployed function (default: the one that the deploy created for this cluster)'],
    [
      '--kubeconfig <file>',
      'read what the NodePools require from the cluster of this file, to know their nodes and cost',
    ],
    JSON_OPTION,
  ],
  load: async () => (await import('./diff')).diff,
  details: [
    'diff reads the deployed config with one call to the inflate function, so it needs AWS credentials that may invoke it. It changes nothing.',
    'Objects are compared as this version of Headstart would write them for each of the two configs. What a new version of Headstart changes is in its upgrade notes; cdk diff shows the AWS resources. The Karpenter stack is not included.',
  ],
  examples: {
    diff: 'before a deploy: what the edit of headroom.yaml changes in the next 24 hours',
    'diff -e staging --to 7d': 'the same for another overlay, over a week',
  },
});
