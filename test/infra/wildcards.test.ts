import { readFileSync } from 'node:fs';
import type { Config } from '../../shared/core/config/config';
import { DEMO } from './demo-config';
import { configOf, readable, type Synthesized, synthesized, synthesizedKarpenter } from './synthesized';

const VPC = 'vpc: {subnetIds: [subnet-1]}';
const inVpc = configOf(DEMO.replace('region: eu-central-1', `region: eu-central-1, ${VPC}`));
const full: Config = configOf(readFileSync('examples/full.yaml', 'utf8'));

/** Every action that a policy of ours allows on `*`, and why no narrower resource would do. */
const HEADROOM: Readonly<Record<string, string>> = {
  'cloudwatch:DescribeAlarms': 'CloudWatch returns composite alarms only to those who may describe all',
  'ec2:AssignPrivateIpAddresses': 'Lambda manages the interfaces of functions in a VPC',
  'ec2:CreateNetworkInterface': 'the same',
  'ec2:DeleteNetworkInterface': 'the same',
  'ec2:DescribeNetworkInterfaces': 'the same; EC2 knows no resources for Describe',
  'ec2:DescribeSubnets': 'the same',
  'ec2:UnassignPrivateIpAddresses': 'the same',
};
const DISCOVERY: Readonly<Record<string, string>> = {
  'ec2:DescribeInstances': 'EC2 knows no resources for Describe',
  'ec2:DescribeLaunchTemplateVersions': 'the same',
  'ec2:DescribeTags': 'the same',
};
/** Karpenter's own published policies, which are compared statement by statement elsewhere. */
const CONTROLLER = [
  'arc-zonal-shift:GetManagedResource',
  'ec2:DescribeCapacityReservations',
  'ec2:DescribeImages',
  'ec2:DescribeInstanceStatus',
  'ec2:DescribeInstanceTypeOfferings',
  'ec2:DescribeInstanceTypes',
  'ec2:DescribeInstances',
  'ec2:DescribeLaunchTemplates',
  'ec2:DescribePlacementGroups',
  'ec2:DescribeSecurityGroups',
  'ec2:DescribeSpotPriceHistory',
  'ec2:DescribeSubnets',
  'iam:ListInstanceProfiles',
  'pricing:GetProducts',
];

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
}

function statementsOf({ resources }: Synthesized, type: string): readonly Statement[] {
  return Object.values(resources)
    .filter(({ Type }) => Type === type)
    .flatMap(({ Properties }) => readable(Properties.PolicyDocument.Statement) as Statement[])
    .filter(({ Effect }) => Effect === 'Allow');
}

const onEverything = (statements: readonly Statement[]) =>
  [
    ...new Set(statements.filter(({ Resource }) => [Resource].flat().includes('*')).flatMap(({ Action }) => Action)),
  ].sort();

describe('every action on * is known, and nothing else is allowed on everything', () => {
  const [headroom, karpenter] = [synthesized(inVpc), synthesizedKarpenter(full)];

  test('by the functions of the headroom stack', () => {
    expect(onEverything(statementsOf(headroom, 'AWS::IAM::Policy'))).toEqual(Object.keys(HEADROOM).sort());
    expect(onEverything(statementsOf(headroom, 'AWS::IAM::ManagedPolicy'))).toEqual([]);
  });

  test('by functions that X-Ray follows, which writes traces without a name', () => {
    const traced = onEverything(statementsOf(synthesized(inVpc, {}, { props: { tracing: true } }), 'AWS::IAM::Policy'));
    const xray = ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'];
    expect(traced).toEqual([...Object.keys(HEADROOM), ...xray].sort());
  });

  test('by the functions of the Karpenter stack', () => {
    const network = Object.keys(HEADROOM).filter((action) => action.startsWith('ec2:'));
    const allowed = [...Object.keys(DISCOVERY), ...(full.cluster.vpc ? network : [])];
    expect(onEverything(statementsOf(karpenter, 'AWS::IAM::Policy'))).toEqual(allowed.sort());
  });

  test('by the controller, as Karpenter publishes it', () => {
    expect(onEverything(statementsOf(karpenter, 'AWS::IAM::ManagedPolicy'))).toEqual(CONTROLLER);
  });

  test('no action is a wildcard itself', () => {
    const all = [headroom, karpenter].flatMap((made) =>
      ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy'].flatMap((type) => statementsOf(made, type)),
    );
    expect(all.flatMap(({ Action }) => Action).filter((action) => action.includes('*'))).toEqual([]);
  });
});
