import type { Command } from 'commander';
import { CONFIG, ENV, JSON_OPTION, withGuide } from '../input/options';
import type { Run } from '../terminal/run';

export function addDoctor(root: Command, run: Run): void {
  const command = root
    .command('doctor')
    .description('check config, cluster and AWS account for problems, and print a fix for each')
    .option(...CONFIG)
    .option(...ENV)
    .option('--kubeconfig <file>', 'check the cluster of this file (read-only)')
    .option('--aws', 'check the AWS account with the credentials of this shell (read-only)')
    .option(...JSON_OPTION)
    .action(async (options) => {
      run.exitCode = await (await import('./doctor')).doctor(options, run.terminal);
    });
  withGuide(command, {
    details: [
      "With --kubeconfig it checks: access to the cluster; the permissions of the functions' group; clock skew; PriorityClasses; Karpenter and Cluster Autoscaler; NodePools that are missing, not ready, tainted, too small for the planned peak or consolidated too early; Kueue, quotas, disruption budgets and autoscalers in the namespace; pause images; each headroom Deployment, its record and its pods; and for floors a LimitRange that gives their pods requests, nodes below the floor's size and nodes without a free pod slot. With --aws it also checks the function, the schedule of every window edge, event rules, alarms and the access entry.",
      'It changes nothing. It exits with 1 if the config has an error and with 2 if the cluster or the account has one. Anything it is not allowed to read is listed, not reported as fine.',
    ],
    examples: [
      { line: 'doctor --kubeconfig ~/.kube/config', does: 'check the config and the cluster' },
      { line: 'doctor --kubeconfig ~/.kube/config --aws', does: 'check the AWS account too' },
    ],
  });
}
