import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { type IVpc, Vpc } from 'aws-cdk-lib/aws-ec2';
import { Cluster, KubernetesVersion } from 'aws-cdk-lib/aws-eks';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ConfigProps, defineConfig } from '../../infra/define-config';
import { Headstart, type HeadstartProps } from '../../infra/headstart';
import { newApp } from '../../infra/new-app';
import { configOf, NOW, synthesized } from './synthesized';

const LUNCH = { name: 'lunch', timezone: 'UTC', start: '30 11 * * MON-FRI', end: '30 13 * * MON-FRI' };
const NODE_POOLS: ConfigProps['nodePools'] = {
  web: { max: 8, unit: { floor: { cpu: 4, memory: '16Gi' } }, schedules: [{ ...LUNCH, addNodes: 4 }] },
};
const CLUSTER = { name: 'shop', region: 'eu-west-1', account: '111122223333' };
const AS_YAML = `
cluster: {name: shop, region: eu-west-1, account: "111122223333"}
nodePools:
  web:
    max: 8
    unit: {floor: {cpu: 4, memory: 16Gi}}
    schedules: [{name: lunch, timezone: UTC, start: 30 11 * * MON-FRI, end: 30 13 * * MON-FRI, addNodes: 4}]
`;

function newStack(region: string | undefined = 'eu-west-1'): Stack {
  const app = newApp({ treeMetadata: false, context: { 'aws:cdk:bundling-stacks': [] } });
  return new Stack(app, 'Platform', { env: { account: '111122223333', ...(region && { region }) } });
}
const add = (stack: Stack, props: Omit<HeadstartProps, 'now'>) =>
  new Headstart(stack, 'Headstart', { now: NOW, ...props });
const imported = (stack: Stack) => Cluster.fromClusterAttributes(stack, 'Cluster', { clusterName: 'shop' });

test('a config as code gives the template of the same YAML', () => {
  const code = defineConfig({ cluster: CLUSTER, nodePools: NODE_POOLS });
  expect(code).toEqual(configOf(AS_YAML));
  expect(synthesized(code).resources).toEqual(synthesized(configOf(AS_YAML)).resources);
});

test('a mistake is said with its path and what to write, like in a file', () => {
  expect(() =>
    defineConfig({ cluster: CLUSTER, nodePools: { web: { max: -1, schedules: [{ ...LUNCH, addNodes: 2 }] } } }),
  ).toThrow(/^nodePools\.web\.max is -1; write a whole number from 0 to 5000/);
});

test('what is valid but doubtful is a warning', () => {
  const warnings: string[] = [];
  defineConfig(
    { cluster: CLUSTER, nodePools: { web: { max: 2, leadTime: '1m', schedules: [{ ...LUNCH, desiredReplicas: 2 }] } } },
    { warn: (line) => warnings.push(line) },
  );
  expect(warnings.join('\n')).toMatch(/^warning: nodePools\.web\.leadTime /);
});

describe('a cluster that is given as a construct', () => {
  test('names the cluster, and the stack its region and account', () => {
    const stack = newStack();
    const code = add(stack, { cluster: imported(stack), config: { nodePools: NODE_POOLS } });
    const yaml = newStack();
    add(yaml, { config: configOf(AS_YAML) });
    expect(code.functions.inflate.function.functionName).toBeDefined();
    expect(Template.fromStack(stack).toJSON()).toEqual(Template.fromStack(yaml).toJSON());
  });

  test('is created before Headstart, if its name is written too', () => {
    const stack = newStack();
    const vpc = new Vpc(stack, 'Vpc') as IVpc;
    const cluster = new Cluster(stack, 'Cluster', {
      vpc,
      clusterName: 'shop',
      version: KubernetesVersion.of('1.35'),
      kubectlLayer: undefined as never,
    });
    const made = add(stack, { cluster, vpc, config: { cluster: { name: 'shop' }, nodePools: NODE_POOLS } });
    expect(made.node.dependencies).toContain(cluster);
  });

  test.each([
    {
      name: 'a name that only a deploy knows',
      props: (stack: Stack) => ({
        cluster: new Cluster(stack, 'Cluster', {
          version: KubernetesVersion.of('1.35'),
          kubectlLayer: undefined as never,
        }),
        config: { nodePools: NODE_POOLS },
      }),
      says: 'the name of Platform/Cluster is known only after a deploy; write it as cluster: { name: ... } in the config, too',
    },
    {
      name: 'another name than in the config',
      props: (stack: Stack) => ({
        cluster: imported(stack),
        config: { cluster: { name: 'other' }, nodePools: NODE_POOLS },
      }),
      says: 'cluster.name is other in the config, and Platform/Cluster is cluster shop; write one of them',
    },
    {
      name: 'a stack without a region',
      region: '',
      props: (stack: Stack) => ({ cluster: imported(stack), config: { nodePools: NODE_POOLS } }),
      says: 'the region of Platform is known only after a deploy; write env: { region: ... } for the stack, or cluster: { region: ... } in the config',
    },
  ])('is refused with $name', ({ props, says, region }) => {
    const stack = newStack(region);
    expect(() => add(stack, props(stack))).toThrow(says);
  });
});

test('the functions run in the private subnets of a VPC that is given as a construct, known or not', () => {
  const stack = newStack();
  const vpc = new Vpc(stack, 'Vpc', { maxAzs: 2 });
  add(stack, { vpc, cluster: imported(stack), config: { nodePools: NODE_POOLS } });
  const functions = Object.values(
    Template.fromStack(stack).findResources('AWS::Lambda::Function', {
      Properties: { FunctionName: 'headstart-shop-inflate' },
    }),
  );
  expect(functions[0]?.Properties.VpcConfig.SubnetIds).toEqual([
    { Ref: expect.stringMatching(/^VpcPrivateSubnet1/) },
    { Ref: expect.stringMatching(/^VpcPrivateSubnet2/) },
  ]);
});

test('a VPC without private subnets is refused', () => {
  const stack = newStack();
  const vpc = Vpc.fromVpcAttributes(stack, 'Vpc', { vpcId: 'vpc-1', availabilityZones: ['a'], publicSubnetIds: ['s'] });
  expect(() => add(stack, { vpc, config: configOf(AS_YAML) })).toThrow('Platform/Vpc has no private subnets');
});

describe('the construct', () => {
  const made = () => {
    const stack = newStack();
    return { stack, headstart: add(stack, { config: configOf(AS_YAML) }) };
  };

  test('grants overrides and nothing else', () => {
    const { stack, headstart } = made();
    const role = new Role(stack, 'OnCall', { assumedBy: new ServicePrincipal('ec2.amazonaws.com') });
    headstart.grantInflate(role);
    const [policy] = Object.values(
      Template.fromStack(stack).findResources('AWS::IAM::Policy', {
        Properties: { Roles: [{ Ref: stack.getLogicalId(role.node.defaultChild as never) }] },
      }),
    );
    expect(policy?.Properties.PolicyDocument.Statement).toMatchObject([
      { Action: 'lambda:InvokeFunction', Effect: 'Allow' },
    ]);
  });

  test('has metrics of each headroom, and refuses a headroom that there is not', () => {
    const { headstart } = made();
    expect(headstart.metricReady('web')).toMatchObject({
      namespace: 'Headstart',
      metricName: 'ReadyHeadroom',
      dimensions: { Cluster: 'shop', Headroom: 'web' },
      statistic: 'Maximum',
    });
    expect(headstart.metricDesired('web', { statistic: 'Minimum' })).toMatchObject({
      metricName: 'DesiredHeadroom',
      statistic: 'Minimum',
    });
    expect(headstart.metricTaken('web')).toMatchObject({ metricName: 'TakenHeadroom', statistic: 'Sum' });
    expect(() => headstart.metricReady('wbe')).toThrow('headroom "wbe"');
  });

  test('exposes its alarms, queues and functions', () => {
    const { headstart } = made();
    expect([...headstart.alarms.keys()]).toEqual(
      expect.arrayContaining(['Errors', 'Silent', 'Late-web', 'DeadLetters-Events']),
    );
    expect(Object.keys(headstart.deadLetterQueues)).toEqual(['Events']);
    expect(headstart.functions.reconcile.function.functionArn).toBeDefined();
  });
});
