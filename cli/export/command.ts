import { CONFIG, defineCommand, ENV } from '../input/options';

export const addExport = defineCommand('export', {
  description:
    'write the headroom stack as a CloudFormation template with zipped functions, for Terraform or the AWS CLI',
  options: [
    CONFIG,
    ENV,
    ['--out <folder>', 'where to write; what an earlier export wrote there is replaced', 'dist'],
    ['--s3-bucket <name>', "the bucket that the printed commands use, in the cluster's region"],
    ['--again', 'make the next deploy apply everything again, with new roles, even if nothing changed'],
  ],
  load: async () => (await import('./export')).exportTemplate,
  details: [
    'The account needs no CDK bootstrap, and export makes no AWS calls. aws-cdk-lib and constructs must be installed beside headstart. The config is part of the functions: export and deploy again after each edit.',
    'Only the headroom stack can be exported. A config with karpenter.manage or pool blocks is refused: those belong to a second stack that must outlive this one, and CDK keeps the two in order.',
    'Use --again if somebody removed what a deploy had put on the cluster, or if the cluster was deleted and created again under the same name.',
  ],
  examples: {
    'export --out dist --s3-bucket my-artifacts': 'write dist and print the commands that deploy it',
    'export -e staging --out dist/staging': 'the same for headroom.staging.yaml',
    'export --again': 'to repair: deploy what it writes, and everything is applied again',
  },
});
