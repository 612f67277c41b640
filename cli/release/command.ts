import { ACCESS, OTHER_CLUSTER } from '../input/access-options';
import { defineCommand } from '../input/options';

export const addRelease = defineCommand('release', {
  description: 'end an override; windows, alarm boosts and interruption surges decide again',
  arguments: [['[nodepool]', 'the NodePool']],
  options: [
    ['--all', 'end the overrides of all NodePools'],
    ['--reason <text>', 'why, for the record'],
    ['--by <name>', 'who ends it (default: your user name)'],
    ...ACCESS,
    OTHER_CLUSTER,
  ],
  load: async () => (await import('./release-headroom')).release,
  examples: {
    'release default': 'end the override of one NodePool early',
    'release --all': 'return every NodePool to its config',
  },
});
