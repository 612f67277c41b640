import type { Command } from 'commander';
import { JSON_OPTION, withGuide } from '../input/options';
import type { Run } from '../terminal/run';

export function addImport(root: Command, run: Run): void {
  const parent = root
    .command('import')
    .description('create headroom.yaml from an existing setup; comments list everything that was not carried over');
  const add = (source: 'keda' | 'overprovisioner' | 'provisioner', description: string) =>
    parent
      .command(source)
      .description(description)
      .argument('<files...>', 'YAML files, or - for standard input')
      .option('--nodepool <name>', 'the NodePool, if the files do not name one', 'default')
      .option('--cluster <name>', 'the EKS cluster (default: a placeholder to edit)')
      .option('--region <region>', 'its AWS region (default: a placeholder to edit)')
      .option('-o, --out <file>', 'write to this file instead of standard output')
      .option('--force', 'overwrite the file')
      .option(...JSON_OPTION)
      .action(async (files, options) => {
        run.exitCode = (await import('./import')).importFrom(source, files, options, run.terminal);
      });
  withGuide(add('keda', 'import the cron triggers of KEDA ScaledObjects, and the pod templates of their targets'), {
    details: [
      'A target of pause pods becomes room of the same size. For a workload that starts its own pods the import proposes a floor: as many more nodes as those pods need.',
    ],
    examples: [
      { line: 'import keda scaledobject.yaml deployment.yaml', does: 'print the config' },
      {
        line: 'import keda - --out headroom.yaml',
        does: 'from a cluster: kubectl get scaledobjects,deployments -A -o yaml | headstart import keda -',
      },
    ],
  });
  withGuide(
    add('overprovisioner', 'import the values of the deliveryhero or codecentric cluster-overprovisioner chart'),
    {
      examples: [
        {
          line: 'import overprovisioner values.yaml --nodepool default --out headroom.yaml',
          does: 'from a release: helm get values NAME -o yaml > values.yaml',
        },
      ],
    },
  );
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
