import type { Command } from 'commander';
import { defineCommand, type Flag, type Guide, JSON_OPTION } from '../../cli/input/options';
import type { Run } from '../../cli/terminal/run';
import type { Source } from './sources';

const OPTIONS: readonly Flag[] = [
  ['--nodepool <name>', 'the NodePool, if the files do not name one', 'default'],
  ['--cluster <name>', 'the EKS cluster (default: from the discovery tags, else a placeholder to edit)'],
  ['--region <region>', 'its AWS region (default: from the zones, else a placeholder to edit)'],
  ['-o, --out <file>', 'write to this file instead of standard output'],
  ['--force', 'overwrite the file'],
  JSON_OPTION,
];

const addParent = importCommand(undefined, {
  description: 'create headroom.yaml from an existing setup; comments list everything that was not carried over',
  details: ['Without a source, import detects what the files are. A NodePool and its headroom become one entry.'],
  examples: {
    'import karpenter/*.yaml inflate.yaml --out headroom.yaml': 'whatever these files are',
    'import - --out headroom.yaml':
      'whatever is piped into it, such as kubectl get scaledobjects,deployments,priorityclasses -A -o yaml',
  },
});

const SOURCES = [
  importCommand('keda', {
    description: 'import the cron triggers of KEDA ScaledObjects, and the pod templates of their targets',
    details: [
      'A target of pause pods becomes room of the same size. For a workload that starts its own pods the import proposes a floor: as many more nodes as those pods need. A target whose file is missing is treated as a workload, unless its name suggests pause pods.',
    ],
    examples: {
      'import keda scaledobject.yaml deployment.yaml': 'print the config',
      'import keda - --out headroom.yaml':
        'what is piped into it, such as kubectl get scaledobjects,deployments,priorityclasses -A -o yaml',
    },
  }),
  importCommand('overprovisioner', {
    description: 'import the values of the deliveryhero or codecentric cluster-overprovisioner chart',
    details: [
      'The values can be in a values file, under the key cluster-overprovisioner, or in a HelmRelease or an Argo CD Application.',
    ],
    examples: {
      'import overprovisioner values.yaml --nodepool default --out headroom.yaml':
        'from a release: helm get values NAME -o yaml > values.yaml',
    },
  }),
  importCommand('pause', {
    description: 'import Deployments of pause pods, inflate Deployments, and Headrooms of OpenFaaS',
    details: [
      'Pods that workloads can preempt become room of the same size. An inflate Deployment that pins a NodePool, one pod per node and bound to the NodePool, becomes a floor: nodes that exist.',
    ],
    examples: { 'import pause overprovisioning.yaml --nodepool default': 'print the config' },
  }),
  importCommand('provisioner', {
    description:
      'import old Karpenter objects as pool blocks: v1alpha5 Provisioner and AWSNodeTemplate, v1beta1 NodePool and EC2NodeClass',
    examples: { 'import provisioner provisioners/*.yaml --cluster shop --region ap-northeast-2': 'print the config' },
  }),
];

function importCommand(source: Source | undefined, guide: Guide & { readonly description: string }) {
  return defineCommand(source ?? 'import', {
    ...guide,
    arguments: [['<files...>', 'YAML files, or - for standard input']],
    options: OPTIONS,
    load: async () => (await import('./import')).importFrom.bind(undefined, source),
  });
}

export function addImport(root: Command, run: Run): void {
  // An option after the name of a source belongs to that source's command.
  const parent = addParent(root, run).usage('[source] [options] <files...>').enablePositionalOptions();
  for (const add of SOURCES) add(parent, run);
}
