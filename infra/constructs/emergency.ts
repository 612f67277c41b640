import { CfnOutput } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { functionName, physicalName } from '../../shared/core/basics/names';
import type { Config } from '../../shared/core/config/config';

const MAX_POLICY_NAME = 128;

/** What people on call need: a policy that allows only this call, and the commands to copy. */
export class Emergency extends Construct {
  constructor(scope: Construct, id: string, config: Config, handler: IFunction) {
    super(scope, id);
    const { name, region } = config.cluster;
    // With a name, so that a permission set can refer to it. IAM is not regional, so the region is part of it.
    // A change of name, path or description replaces the policy, which CloudFormation refuses while the name stays.
    const policy = new ManagedPolicy(this, 'Policy', {
      managedPolicyName: physicalName(['headstart', name, region, 'inflate'], MAX_POLICY_NAME),
      description: `Allows manual headroom overrides on ${name}, and nothing else`,
      statements: [new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [handler.functionArn] })],
    });
    new CfnOutput(this, 'PolicyArn', {
      description: 'IAM policy to attach to the people on call',
      value: policy.managedPolicyArn,
    });
    for (const { id, description, payload } of payloads(config))
      new CfnOutput(this, id, { description, value: invokeCommand(functionName(name, 'inflate'), region, payload) });
  }
}

function payloads({ headrooms }: Config) {
  const [first] = headrooms;
  const [headroom, max] = [first?.name, first?.max];
  // A floor counts existing nodes, so an absolute number would often change nothing.
  const { size, what } =
    first?.unit.kind === 'floor'
      ? { size: { addNodes: max }, what: `${max} nodes on top of the existing ones` }
      : { size: { atLeast: max }, what: `${max} replicas of headroom` };
  return [
    {
      id: 'Inflate',
      description: `Sets an override: ${what}, for half an hour`,
      payload: { headroom, ...size, for: '30m', reason: 'emergency', by: 'on-call' },
    },
    { id: 'Release', description: 'Releases the override', payload: { headroom, release: true, by: 'on-call' } },
    { id: 'Status', description: 'Shows the status of every NodePool', payload: { status: true } },
  ];
}

/** Complete as typed: without the format flag, version 2 of the AWS CLI reads the payload as base64. */
function invokeCommand(inflate: string, region: string, payload: object): string {
  return [
    'aws lambda invoke',
    '--cli-binary-format raw-in-base64-out',
    `--function-name ${inflate}`,
    `--region ${region}`,
    `--payload '${JSON.stringify(payload)}'`,
    '/dev/stdout',
  ].join(' ');
}
