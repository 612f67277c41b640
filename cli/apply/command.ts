import { OTHER_CLUSTER } from '../input/access-options';
import { CONFIG, defineCommand, ENV, REQUIRED } from '../input/options';

export const addApply = defineCommand('apply', {
  description: 'edit live schedules: check them, show what the coming day changes, and write the ConfigMap',
  arguments: [['[file]', 'the text with nodePools, or - for standard input']],
  options: [
    ['--clear', 'delete the ConfigMap instead, so that what is deployed counts'],
    CONFIG,
    ENV,
    ['--kubeconfig <file>', 'the cluster; the ConfigMap is written with your own permissions', REQUIRED],
    ['--deployed', 'check against the config that the deployed function holds, and not against --config'],
    ['--dry-run', 'show the change and write nothing'],
    ['-y, --yes', 'do not ask'],
    OTHER_CLUSTER,
  ],
  load: async () => (await import('./apply')).apply,
  details: [
    'The config needs cluster.liveSchedules. A text is refused if it has an error, names a NodePool or removes a window that is not deployed, asks for more than max, has addNodes without a floor, or gives an open window addNodes instead of desiredReplicas.',
    'The ConfigMap headroom-schedules is written by server-side apply, as the field manager headstart-cli and without force: if another manager owns the text, such as Argo CD, the command names it and changes nothing.',
  ],
  examples: {
    'apply schedules.yaml --kubeconfig ~/.kube/config': 'check, show the change, ask, and write',
    'apply schedules.yaml --kubeconfig FILE --dry-run': 'for a pull request: check and show only',
    'apply --clear --kubeconfig FILE': 'go back to what is deployed',
  },
});
