import type { Command } from 'commander';
import { CONFIG, ENV, JSON_OPTION, withExamples } from '../options';
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
  withExamples(command, [
    { line: 'doctor --kubeconfig ~/.kube/config', does: 'check the config and the cluster' },
    {
      line: 'doctor --kubeconfig ~/.kube/config --aws',
      does: 'check function, schedules, rules and access entries too',
    },
  ]);
}
