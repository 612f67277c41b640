import { App, Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Code, LayerVersion } from 'aws-cdk-lib/aws-lambda';
import { KarpenterPrerequisites } from '../../../infra/karpenter/karpenter-prerequisites';
import { nodePoolManifests } from '../../../shared/core/karpenter/node-pools';
import { configOf } from '../../shared/core/karpenter/config-of';
import { synthesizedKarpenter } from '../synthesized';

/** In a stack of somebody else. */
function placed(karpenter: object, layerFrom?: string): Stack {
  const stack = new Stack(new App({ context: { 'aws:cdk:bundling-stacks': [] } }), 'Other');
  const kubectlLayer = layerFrom && new LayerVersion(stack, 'Layer', { code: Code.fromAsset(layerFrom) });
  const config = configOf({ karpenter: { manage: true, ...karpenter } });
  new KarpenterPrerequisites(stack, 'Karpenter', { config, ...(kubectlLayer && { kubectlLayer }) });
  return stack;
}

test('everything switched off leaves nothing', () => {
  const off = { controllerRole: false, nodeRole: false, queue: false };
  const stack = placed({ ...off, discovery: { subnets: 'none', securityGroups: 'none' } });
  expect(Template.fromStack(stack).toJSON().Resources).toBeUndefined();
});

test('another Karpenter version is warned about', () => {
  Annotations.fromStack(placed({ version: '1.99.0' })).hasWarning(
    '*',
    Match.stringLikeRegexp('karpenter.version is 1.99.0, but .* follow 1.14.1'),
  );
  expect(Annotations.fromStack(placed({})).findWarning('*', Match.anyValue())).toEqual([]);
});

test('another CDK app installs Karpenter by bringing the layer itself', () => {
  const template = Template.fromStack(placed({}, 'examples'));
  template.resourceCountIs('Custom::AWSCDK-EKS-HelmChart', 2);
  const functions = Object.values(template.findResources('AWS::Lambda::Function'));
  const layers = functions.flatMap(({ Properties }) => Properties.Layers ?? []);
  expect(layers).toContainEqual({ Ref: expect.stringMatching(/^Layer\w+$/) });
});

describe.each([
  { partition: 'aws', region: 'ap-northeast-2' },
  { partition: 'aws-cn', region: 'cn-north-1' },
  { partition: 'aws-us-gov', region: 'us-gov-west-1' },
])('in $region', ({ partition, region }) => {
  const config = configOf({ cluster: { region }, karpenter: { manage: true } });

  test(`every ARN is of the partition ${partition}`, () => {
    const text = JSON.stringify(synthesizedKarpenter(config).resources);
    const partitions = [...text.matchAll(/arn:([\w-]+):/g)].map(([, one]) => one);
    expect(new Set(partitions)).toEqual(new Set([partition]));
    expect(text).toContain(`arn:${partition}:ec2:${region}:*:instance/*`);
  });
});

describe('EC2NodeClasses and instance profiles name a role as the stack makes it, without its path', () => {
  const arn = 'arn:aws:iam::123456789012:role/eks/prod/nodes';
  test.each([
    { name: 'made by the stack', karpenter: {}, role: 'KarpenterNodeRole-demo-ap-northeast-2' },
    { name: 'by ARN', karpenter: { nodeRole: arn, nodeAccess: 'entry', controllerRole: true }, role: 'nodes' },
  ])('$name', ({ karpenter, role }) => {
    const nodePools = { a: { max: 1, pool: {} } };
    const config = configOf({ nodePools, karpenter: { manage: true, instanceProfile: true, ...karpenter } });
    const { one, all } = synthesizedKarpenter(config);
    expect(one('AWS::IAM::InstanceProfile').Properties.Roles).toEqual([role]);
    const own = Object.values(all('AWS::IAM::Role')).map(({ Properties }) => Properties.RoleName);
    expect(own.includes(role)).toBe(role !== 'nodes');
    const [nodeClass] = nodePoolManifests(configOf({ nodePools, karpenter: { manage: true, ...karpenter } }));
    expect(nodeClass).toMatchObject({ kind: 'EC2NodeClass', spec: { role } });
  });
});
