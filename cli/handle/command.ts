import { OTHER_CLUSTER } from '../input/access-options';
import { CONFIG, defineCommand, ENV, REQUIRED } from '../input/options';

export const addHandle = defineCommand('handle', {
  description: 'run one event or override through its handler, against any cluster',
  arguments: [['<event>', 'a JSON file with the event, or - for standard input']],
  options: [
    ['--kubeconfig <file>', 'the cluster', REQUIRED],
    CONFIG,
    ENV,
    ['--at <time>', 'decide as of this time (default: now, and for a heartbeat or window edge its own time)'],
    ['--stack <name>', 'whose headroom it is (default: the owner found in the namespace)'],
    OTHER_CLUSTER,
    ['--dry-run', 'print the decisions and change nothing'],
    ['--headroom <name>', 'the event announces a peak of this headroom; with --event'],
    ['--event <name>', 'which of its events it is'],
    ['--cancel', 'it matches the cancel pattern of that event'],
    ['--cloudwatch', 'read alarm states from CloudWatch (needs AWS credentials)'],
  ],
  load: async () => (await import('./handle-locally')).handle,
  details: [
    'The event goes through the same handler that runs in AWS: a schedule tick, an alarm state change, an interruption notice or a batch of them, an override, or an announced peak: the message of its queue, or the event itself with --headroom and --event. The response is printed as JSON; the log goes to standard error.',
  ],
  examples: {
    'handle event.json --kubeconfig ~/.kube/config --dry-run':
      'show what an interruption notice, an alarm or a heartbeat would do',
    'handle campaign.json --headroom default --event campaign --kubeconfig ~/.kube/config --dry-run':
      'show what an announced peak would do',
  },
});
