import { ACCESS, OTHER_CLUSTER } from '../input/access-options';
import { defineCommand } from '../input/options';

export const addInflate = defineCommand('inflate', {
  description: 'set an override: more headroom now, for a limited time, and wait until its nodes are ready',
  arguments: [['<headroom>', 'its key under nodePools']],
  options: [
    ['--more <n>', 'how many more nodes than there are, if the unit is a floor'],
    ['--nodes <n>', 'number of nodes in all, if the unit is a node or a floor'],
    ['--slices <n>', 'number of slices, if the unit is a slice'],
    ['--pods <n>', 'number of pods, if the unit is the pod of a workload'],
    ['--share <percent>', 'the same as a share of the replicas of that workload, such as 50%'],
    ['--for <duration>', 'how long the override lasts, at most 24h'],
    ['--reason <text>', 'why, for the record'],
    ['--exactly', 'pin the headroom to this size instead of a minimum'],
    ['--by <name>', 'who sets it (default: your user name)'],
    ['--no-wait', 'return without waiting for the nodes'],
    ['--timeout <duration>', 'stop waiting after this; the override stays in force', '10m'],
    [
      '-y, --yes',
      'do not ask before an override of more than 20 nodes or, where price is set, $20 per hour, nor before one to many clusters',
    ],
    ...ACCESS,
    OTHER_CLUSTER,
  ],
  load: async () => (await import('./inflate-headroom')).inflate,
  details: [
    'A headroom has one override at a time: a new one replaces the old one. It expires by itself after at most 24 hours; permanent headroom belongs in base. Windows, alarm boosts and interruption surges still count, unless you pass --exactly. In a floor pool --nodes 6 means that 6 nodes exist, used or not; --more 6 counts the nodes once, when the override is set; while a window, an alarm or another override adds nodes to a count, it adds to the same count, and the highest counts. The expiry follows the clock of the cluster or the function, not of this machine.',
    'This is for people. A pipeline or another system announces a peak by an event instead, which may come twice, early or late: see docs/events.md.',
    'The command waits until the headroom is ready. If that does not happen before --timeout, it prints the reasons and exits with 2. Ctrl-C stops the waiting; the override stays in force.',
  ],
  examples: {
    'inflate default --nodes 6 --for 30m --reason "flash sale"': 'keep room on at least 6 nodes for half an hour',
    'inflate web --more 6 --for 30m':
      'in a floor pool: count the nodes now, and keep 6 more than these for half an hour',
    'inflate ci --slices 20 --for 2h --no-wait': 'ask for 20 slices and return immediately',
    'inflate checkout --share 50% --for 1h': 'room for half as many pods as the workload of checkout has now',
    "inflate web --more 6 --for 30m -c 'clusters/*.yaml' --role headstart-operator":
      'in many clusters and accounts at once: lists them, asks once, and shows each in a row',
    'inflate default --nodes 0 --exactly --for 4h': 'hold no headroom for four hours, even in a window',
  },
});
