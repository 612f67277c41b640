import type { Command } from 'commander';
import { JSON_OPTION, withGuide } from '../input/options';
import type { Run } from '../terminal/run';
import type { Source } from './sources';

export function addImport(root: Command, run: Run): void {
  const parent = root
    .command('import')
    .description('create headroom.yaml from an existing setup; comments list everything that was not carried over')
    .usage('[source] [options] <files...>')
    // An option after the name of a source belongs to that source's command.
    .enablePositionalOptions();
  withGuide(withImport(parent, run, undefined), {
    details: ['Without a source, import detects what the files are. A NodePool and its headroom become one entry.'],
    examples: [
      { line: 'import karpenter/*.yaml inflate.yaml --out headroom.yaml', does: 'whatever these files are' },
      {
        line: 'import - --out headroom.yaml',
        does: 'whatever is piped into it, such as kubectl get scaledobjects,deployments,priorityclasses -A -o yaml',
      },
    ],
  });
  const add = (source: Source, description: string) =>
    withImport(parent.command(source).description(description), run, source);
  withGuide(add('keda', 'import the cron triggers of KEDA ScaledObjects, and the pod templates of their targets'), {
    details: [
      'A target of pause pods becomes room of the same size. For a workload that starts its own pods the import proposes a floor: as many more nodes as those pods need. A target whose file is missing is treated as a workload, unless its name suggests pause pods.',
    ],
    examples: [
      { line: 'import keda scaledobject.yaml deployment.yaml', does: 'print the config' },
      {
        line: 'import keda - --out headroom.yaml',
        does: 'what is piped into it, such as kubectl get scaledobjects,deployments,priorityclasses -A -o yaml',
      },
    ],
  });
  withGuide(
    add('overprovisioner', 'import the values of the deliveryhero or codecentric cluster-overprovisioner chart'),
    {
      details: [
        'The values can be in a values file, under the key cluster-overprovisioner, or in a HelmRelease or an Argo CD Application.',
      ],
      examples: [
        {
          line: 'import overprovisioner values.yaml --nodepool default --out headroom.yaml',
          does: 'from a release: helm get values NAME -o yaml > values.yaml',
        },
      ],
    },
  );
  withGuide(add('pause', 'import Deployments of pause pods, inflate Deployments, and Headrooms of OpenFaaS'), {
    details: [
      'Pods that workloads can preempt become room of the same size. An inflate Deployment that pins a NodePool, one pod per node and bound to the NodePool, becomes a floor: nodes that exist.',
    ],
    examples: [{ line: 'import pause overprovisioning.yaml --nodepool default', does: 'print the config' }],
  });
  withGuide(
    add(
      'provisioner',
      'import old Karpenter objects as pool blocks: v1alpha5 Provisioner and AWSNodeTemplate, v1beta1 NodePool and EC2NodeClass',
    ),
    {
      examples: [
        {
          line: 'import provisioner provisioners/*.yaml --cluster shop --region ap-northeast-2',
          does: 'print the config',
        },
      ],
    },
  );
}

function withImport(command: Command, run: Run, source: Source | undefined): Command {
  return command
    .argument('<files...>', 'YAML files, or - for standard input')
    .option('--nodepool <name>', 'the NodePool, if the files do not name one', 'default')
    .option('--cluster <name>', 'the EKS cluster (default: from the discovery tags, else a placeholder to edit)')
    .option('--region <region>', 'its AWS region (default: from the zones, else a placeholder to edit)')
    .option('-o, --out <file>', 'write to this file instead of standard output')
    .option('--force', 'overwrite the file')
    .option(...JSON_OPTION)
    .action(async (files, options) => {
      run.exitCode = (await import('./import')).importFrom(source, files, options, run.terminal);
    });
}
