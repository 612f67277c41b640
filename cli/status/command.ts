import { ACCESS } from '../input/access-options';
import { defineCommand } from '../input/options';

export const addStatus = defineCommand('status', {
  description: 'show each headroom: size, reasons, missing nodes and the next change',
  arguments: [['[headroom]', 'show only this one']],
  options: [
    ...ACCESS,
    ['--check', 'for monitoring: print only problems, and exit with 2 if there are any'],
    ['-w, --watch', 'refresh until Ctrl-C'],
    ['--interval <duration>', 'refresh interval of --watch', '2s'],
    ['--timezone <zone>', "show times in this time zone (default: the zone of each headroom's windows)"],
  ],
  load: async () => (await import('./print-status')).status,
  details: [
    'Without --kubeconfig the command invokes the deployed function, which needs lambda:InvokeFunction. It never falls back to the current kubectl context, so that it cannot reach the wrong cluster.',
    'With --kubeconfig it also explains missing nodes: NodePool limits, NodeClaim conditions, and what the scheduler and Karpenter report for the pause pods. This needs permission to read pods and events in the namespace. For a floor it also shows how many nodes run work, which needs permission to list all pods.',
    'With --check it prints one line per problem and exits with 2 if there is one: short (fewer nodes are ready than wanted), late (a window opened without them), behind (the Deployment does not have the size that is decided), held (its record cannot be read), a NodePool that does not exist, a Deployment of another stack, or a field that another tool keeps changing. It exits with 2 as well if the function or the cluster cannot be asked, with 1 if the config or an option is wrong, and with 0 if all is well. New nodes take a minute or two, and the heartbeat comes once a minute: alert when it fails for longer than that, such as for 5 minutes.',
  ],
  examples: {
    status: 'ask the deployed function, with the AWS credentials of this shell',
    'status --kubeconfig ~/.kube/config': 'ask the cluster, and explain missing nodes',
    'status default --watch': 'watch one headroom',
    "status -c 'clusters/*.yaml' --role headstart-operator": 'ask every cluster, in the account of each',
    'status --check': 'for cron, Nagios or a Kubernetes probe: 0 if all is well, 2 if not',
  },
});
