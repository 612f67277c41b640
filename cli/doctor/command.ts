import { CONFIGS, defineCommand, ENV, JSON_OPTION, ROLE, WAVE } from '../input/options';

export const addDoctor = defineCommand('doctor', {
  description: 'check config, cluster and AWS account for problems, and print a fix for each',
  configArgument: true,
  options: [
    CONFIGS,
    ENV,
    ['--kubeconfig <file>', 'check the cluster of this file (read-only)'],
    ['--aws', 'check the AWS account with the credentials of this shell (read-only)'],
    [
      '--try <nodepool>',
      'try the deployed stack: request one more node for this NodePool, and release it (implies --aws)',
    ],
    ROLE,
    WAVE,
    ['--timeout <duration>', 'with --try: how long to wait for the node', '5m'],
    ['--function <name>', 'with --try: the deployed function (default: the one of this cluster)'],
    ['-y, --yes', 'with --try: do not ask for confirmation'],
    JSON_OPTION,
  ],
  load: async () => (await import('./doctor')).doctor,
  details: [
    "With --kubeconfig it checks: that the file is for the cluster of the config; access to the cluster; the permissions of the functions' group; clock skew; PriorityClasses; Karpenter and Cluster Autoscaler; NodePools that are missing, not ready, tainted, too small for the planned peak or consolidated too early; Kueue, quotas, disruption budgets and autoscalers in the namespace; pause images; each headroom Deployment, its record and its pods; and for floors a LimitRange that gives their pods requests, nodes below the floor's size and nodes without a free pod slot. With --aws it also checks the functions, the schedule of every window edge, the EventBridge rules of every alarm and notice, alarms and the access entry.",
    'With --try it proves that a deployed stack works, after the first deploy and after every upgrade. If no check finds an error, it sets an override through the deployed function: one more than the NodePool wants now (in a floor pool, one node more than there are). It waits until the node is ready, checks the record, the metrics, the alarms and the dead-letter queues, and releases the override. It asks first, refuses while an override is in force or the NodePool is at its max, and prints a report to paste. Ctrl-C releases the override too; if the command is killed, the override ends by itself within minutes.',
    'Without --try it changes nothing. It exits with 1 if the config has an error, and with 2 if the cluster or the account has one, cannot be reached, or neither was checked. Anything it is not allowed to read is listed, not reported as fine.',
  ],
  examples: {
    'doctor --kubeconfig ~/.kube/config': 'check the config and the cluster',
    'doctor --kubeconfig ~/.kube/config --aws': 'check the AWS account too',
    "doctor -c 'clusters/*.yaml' --aws --role headstart-operator": 'check the accounts of many clusters',
    'doctor --kubeconfig ~/.kube/config --try default':
      'prove that the deployed stack works; takes one node for a few minutes',
  },
});
