import type { Command } from 'commander';
import { CONFIG, ENV, JSON_OPTION, withGuide } from '../options';
import type { Run } from '../run';

export function addDoctor(root: Command, run: Run): void {
  const command = root
    .command('doctor')
    .description('check config, cluster and account before the first peak does; each finding comes with its fix')
    .option(...CONFIG)
    .option(...ENV)
    .option('--kubeconfig <file>', 'look at the cluster of this file too; only reads')
    .option('--aws', 'look at the AWS account too, with the credentials of this shell; only reads')
    .option(...JSON_OPTION)
    .action(async (options) => {
      run.exitCode = await (await import('../doctor/doctor')).doctor(options, run.terminal);
    });
  withGuide(command, {
    details: [
      "It looks at: the config; reaching the cluster; the rights of the functions' group, asked of the cluster's own authorizer; clocks; PriorityClasses; Karpenter and Cluster Autoscaler; NodePools that are missing, not ready, too small for the planned peak, tainted, or consolidated too soon; Kueue, quotas, budgets and autoscalers in the namespace; pause images; and the headroom itself: there, ours alone, readable, with all its pods. With --aws also: the function, the schedules of every window edge, event rules, alarms, and the access entry.",
      'It only reads. It ends with 1 when the config is wrong, with 2 when an error was found outside, otherwise with 0. What it may not read is said, and never called fine.',
    ],
    examples: [
      { line: 'doctor --kubeconfig ~/.kube/config', does: 'check the config and the cluster' },
      {
        line: 'doctor --kubeconfig ~/.kube/config --aws',
        does: 'check function, schedules, rules and access entries too',
      },
    ],
  });
}
