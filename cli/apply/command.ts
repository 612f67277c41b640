import type { Command } from 'commander';
import { OTHER_CLUSTER } from '../access/options';
import { CONFIG, ENV, withGuide } from '../input/options';
import type { Run } from '../terminal/run';

export function addApply(root: Command, run: Run): void {
  const command = root
    .command('apply')
    .description('edit live schedules: check them, show what the coming day changes, and write the ConfigMap')
    .argument('[file]', 'the text with nodePools, or - for standard input')
    .option('--clear', 'delete the ConfigMap instead, so that what is deployed counts')
    .option(...CONFIG)
    .option(...ENV)
    .requiredOption('--kubeconfig <file>', 'the cluster; the ConfigMap is written with your own permissions')
    .option('--deployed', 'check against the config that the deployed function holds, and not against --config')
    .option('--dry-run', 'show the change and write nothing')
    .option('-y, --yes', 'do not ask')
    .option(...OTHER_CLUSTER)
    .action(async (file, options) => {
      run.exitCode = await (await import('./apply')).apply(file, options, run.terminal);
    });
  withGuide(command, {
    details: [
      'The config needs cluster.liveSchedules. A text is refused if it has an error, names a NodePool or removes a window that is not deployed, asks for more than max, has addNodes without a floor, or gives an open window addNodes instead of desiredReplicas.',
      'The ConfigMap headroom-schedules is written by server-side apply, as the field manager headstart-cli and without force: if another manager owns the text, such as Argo CD, the command names it and changes nothing.',
    ],
    examples: [
      { line: 'apply schedules.yaml --kubeconfig ~/.kube/config', does: 'check, show the change, ask, and write' },
      { line: 'apply schedules.yaml --kubeconfig FILE --dry-run', does: 'for a pull request: check and show only' },
      { line: 'apply --clear --kubeconfig FILE', does: 'go back to what is deployed' },
    ],
  });
}
