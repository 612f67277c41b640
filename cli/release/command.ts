import { ACCESS, OTHER_CLUSTER } from '../input/access-options';
import { defineCommand } from '../input/options';

export const addRelease = defineCommand('release', {
  description: 'end an override; windows, alarm boosts and interruption surges decide again',
  arguments: [['[headroom]', 'its key under nodePools']],
  options: [
    ['--all', 'end the overrides of all headrooms'],
    ['--reason <text>', 'why, for the record'],
    ['--by <name>', 'who ends it (default: your user name)'],
    ['-y, --yes', 'with many clusters: do not ask'],
    ...ACCESS,
    OTHER_CLUSTER,
  ],
  load: async () => (await import('./release-headroom')).release,
  examples: {
    'release default': 'end the override of one headroom early',
    "release web -c 'clusters/*.yaml' --role headstart-operator": 'in many clusters and accounts at once',
    'release --all': 'return every headroom to its config',
  },
});
