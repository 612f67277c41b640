import { ADDED_BY_TAG, DISCOVERY_TAG, setDiscoveryTags } from '../../../shared/core/karpenter/discovery-tags';
import { FakeNetwork } from '../../fakes/fake-network';
import { configOf } from '../../shared/core/karpenter/config-of';
import { plain, synthConfig, synthKarpenter } from './synth-karpenter';

jest.setTimeout(120_000);

const TYPE = 'Custom::HeadstartDiscoveryTags';

function propertiesOf(karpenter: object = {}): Record<string, unknown> {
  const { ServiceToken: _, ServiceTimeout: __, ...properties } = synthKarpenter(karpenter).only(TYPE).Properties;
  return plain(properties) as Record<string, unknown>;
}

test('the custom resource asks for what the config says', () => {
  expect(propertiesOf()).toEqual({
    clusterName: 'demo',
    owner: expect.stringMatching(/^<AWS::StackName>\/\w+/),
    subnets: 'node-groups',
    securityGroups: 'cluster',
  });
  expect(propertiesOf({ discovery: { subnets: ['subnet-1'], securityGroups: 'launch-template' } })).toMatchObject({
    subnets: ['subnet-1'],
    securityGroups: 'launch-template',
  });
});

test('it asks again without a change when the context says so', () => {
  const again = synthConfig(configOf({ karpenter: { manage: true } }), { again: '1762000000' });
  expect(again.only(TYPE).Properties).toMatchObject({ clusterName: 'demo', again: '1762000000' });
});

test('what it asks for is understood', async () => {
  const aws = new FakeNetwork(new Map(), [{ name: 'a', subnetIds: ['subnet-1'] }]);
  const { added } = await setDiscoveryTags(propertiesOf() as unknown as Parameters<typeof setDiscoveryTags>[0], aws);
  expect(added).toEqual(['sg-cluster', 'subnet-1']);
});

test('one that is to tag nothing does not exist, nor does its function', () => {
  const { template } = synthKarpenter({ discovery: { subnets: 'none', securityGroups: 'none' } });
  template.resourceCountIs(TYPE, 0);
  template.resourceCountIs('AWS::Lambda::Function', 0);
});

describe('the function may', () => {
  const made = synthKarpenter();
  const policy = made.only('AWS::IAM::Policy');
  const { Statement } = plain(policy.Properties.PolicyDocument) as { Statement: Record<string, unknown>[] };
  const bySid = (sid: string) => Statement.find(({ Sid }) => Sid === sid);
  const taggable = ['subnet', 'security-group'].map((kind) => `arn:<AWS::Partition>:ec2:ap-northeast-2:*:${kind}/*`);

  test('do exactly this', () => {
    const actions = Statement.flatMap(({ Action }) => Action as string | string[]);
    expect(actions.filter((action) => !action.startsWith('logs:')).sort()).toEqual([
      'cloudformation:DescribeStacks',
      'ec2:CreateTags',
      'ec2:DeleteTags',
      'ec2:DescribeInstances',
      'ec2:DescribeLaunchTemplateVersions',
      'ec2:DescribeTags',
      'eks:DescribeCluster',
      'eks:DescribeNodegroup',
      'eks:ListNodegroups',
    ]);
  });

  test("add only the two tags, with this cluster's name", () => {
    expect(bySid('AddTags')).toMatchObject({
      Resource: taggable,
      Condition: {
        'ForAllValues:StringEquals': { 'aws:TagKeys': [DISCOVERY_TAG, ADDED_BY_TAG] },
        StringEquals: { [`aws:RequestTag/${DISCOVERY_TAG}`]: 'demo' },
      },
    });
  });

  test('remove only the two tags, and only where its own mark is', () => {
    expect(bySid('RemoveOwnTags')).toMatchObject({
      Resource: taggable,
      Condition: {
        'ForAllValues:StringEquals': { 'aws:TagKeys': [DISCOVERY_TAG, ADDED_BY_TAG] },
        StringEquals: { [`aws:ResourceTag/${ADDED_BY_TAG}`]: propertiesOf().owner },
      },
    });
  });

  test('read this cluster only', () => {
    expect(bySid('ReadCluster')?.Resource).toBe(
      'arn:<AWS::Partition>:eks:ap-northeast-2:<AWS::AccountId>:cluster/demo',
    );
    expect(bySid('ReadNodeGroups')?.Resource).toBe(
      'arn:<AWS::Partition>:eks:ap-northeast-2:<AWS::AccountId>:nodegroup/demo/*',
    );
  });

  test('still do it when the stack is deleted: the custom resource goes first', () => {
    const [policyId = ''] = Object.keys(made.all('AWS::IAM::Policy'));
    expect(made.only(TYPE).DependsOn).toContain(policyId);
  });
});
