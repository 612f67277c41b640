import { CONFIGS, defineCommand, ENV, JSON_OPTION } from '../input/options';

export const addValidate = defineCommand('validate', {
  description: 'check the config file and list every problem with file, line and column',
  configArgument: true,
  options: [CONFIGS, ENV, JSON_OPTION],
  load: async () => (await import('./validate-config')).validate,
  details: [
    'Warnings and hints go to stderr and leave the exit code at 0. A warning points to something that you probably did not mean; a hint points to something that may be cheaper.',
  ],
  examples: {
    validate: 'check headroom.yaml in this folder',
    "validate 'clusters/*.yaml'": 'check the config of every cluster, in a table',
    'validate -e staging': 'check it merged with headroom.staging.yaml',
  },
});
