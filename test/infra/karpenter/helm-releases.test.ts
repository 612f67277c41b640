import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Code, LayerVersion } from 'aws-cdk-lib/aws-lambda';
import { KarpenterPrerequisites } from '../../../infra/karpenter/karpenter-prerequisites';
import { helmReleases } from '../../../shared/core/karpenter/helm-release';
import { karpenterSettings } from '../../../shared/core/karpenter/karpenter-settings';
import { configOf } from '../../shared/core/karpenter/config-of';
import { plain, type Resource, shown, synthKarpenter } from './synth-karpenter';

jest.setTimeout(120_000);

const LAYER = 'arn:aws:lambda:ap-northeast-2:123456789012:layer:kubectl:1';
const CHART = 'Custom::AWSCDK-EKS-HelmChart';
const helm = { install: true, nodeGroup: 'platform', kubectlLayerArn: LAYER };

function chartsOf(made: ReturnType<typeof synthKarpenter>): { crds: Resource; controller: Resource } {
  const charts = Object.values(made.all(CHART));
  const byRelease = (release: string) => charts.find(({ Properties }) => Properties.Release === release) as Resource;
  return { crds: byRelease('karpenter-crd'), controller: byRelease('karpenter') };
}

test('without installing the deploy prints the two commands', () => {
  const made = synthKarpenter();
  made.template.resourceCountIs(CHART, 0);
  const commands = made.outputs.filter((output) => output.startsWith('helm upgrade --install'));
  expect(commands.map((command) => command.split(' ')[3])).toEqual(['karpenter-crd', 'karpenter']);
});

test('a layer alone installs nothing', () => {
  synthKarpenter({ helm: { ...helm, install: false } }).template.resourceCountIs(CHART, 0);
});

test('who leaves the controller to others gets no command either', () => {
  const { outputs } = synthKarpenter({ controllerRole: false });
  expect(outputs.filter((output) => output.includes('helm'))).toEqual([]);
});

describe('an installed release', () => {
  const made = synthKarpenter({ helm, namespace: 'karpenter' });
  const { crds, controller } = chartsOf(made);

  test('takes the pinned charts from their repository', () => {
    for (const [chart, name] of [
      [crds, 'karpenter-crd'],
      [controller, 'karpenter'],
    ] as const)
      expect(chart.Properties).toMatchObject({
        ClusterName: 'demo',
        Repository: `oci://public.ecr.aws/karpenter/${name}`,
        Version: '1.14.1',
        Namespace: 'karpenter',
        CreateNamespace: true,
        Wait: true,
      });
    expect(controller.Properties.SkipCrds).toBe(true);
  });

  test('has the values that the command would set', () => {
    const settings = karpenterSettings(configOf({ karpenter: { manage: true, helm } }));
    const [, { values }] = helmReleases(settings, { queueName: 'demo' });
    expect(JSON.parse(shown(controller.Properties.Values))).toEqual(values);
  });

  test('comes after the CRDs, the role, the association, the queue, the tags and the access of nodes', () => {
    const before = controller.DependsOn?.join(' ');
    for (const start of [
      'Helmkarpentercrd',
      'ControllerRole',
      'ControllerAssociation',
      'InterruptionsQueue',
      'Discovery',
      'NodeAccessEntry',
    ])
      expect(before).toContain(`Karpenter${start}`);
  });

  test('stays when the stack goes; the CRDs even in a first deploy that fails: deleting them drains every node', () => {
    expect(crds.DeletionPolicy).toBe('Retain');
    expect(controller.DeletionPolicy).toBe('RetainExceptOnCreate');
  });

  test('is run by a function that is let in as an administrator before it exists', () => {
    const [id, entry] = entryOf('KarpenterHelmRole');
    expect(plain(entry?.Properties)).toMatchObject({
      ClusterName: 'demo',
      AccessPolicies: [policy('AmazonEKSClusterAdminPolicy')],
    });
    const handler = Object.values(made.all('AWS::Lambda::Function')).find(({ Properties }) => Properties.Layers);
    expect(handler?.DependsOn).toContain(id);
    expect(handler?.Properties.Layers).toContain(LAYER);
  });

  test('comes after a look for a controller that is there already, by a function that may look and not change', () => {
    const [checkId = '', check] = Object.entries(made.all('Custom::HeadstartKarpenterCheck'))[0] ?? [];
    expect(check?.Properties).toMatchObject({ release: 'karpenter', namespace: 'karpenter', adopt: 'false' });
    expect(crds.DependsOn).toContain(checkId);
    const [entryId = '', entry] = entryOf('KarpenterHelmCheckRole');
    expect(plain(entry?.Properties)).toMatchObject({ AccessPolicies: [policy('AmazonEKSViewPolicy')] });
    expect(check?.DependsOn).toContain(entryId);
  });

  test('is let in anew, as is the look before it, where the cluster was created again', () => {
    const roles = Object.entries(made.all('AWS::IAM::Role')).filter(([id]) =>
      /^KarpenterHelm(Role|CheckRole)/.test(id),
    );
    expect(roles).toHaveLength(2);
    for (const [, { Properties }] of roles) expect(shown(Properties.Path)).toMatch(/^\/headstart\/<\w+\.ClusterId>\/$/);
  });

  test('is installed again where the cluster was created again, since it went with the old one', () => {
    const check = made.only('Custom::HeadstartKarpenterCheck');
    for (const { Properties } of [crds, controller])
      expect(shown(Properties.HeadstartClusterId)).toMatch(/^<\w+\.ClusterId>$/);
    expect(shown(check.Properties.clusterId)).toBe(shown(controller.Properties.HeadstartClusterId));
  });

  test('that is adopted stays even when the deploy that adopted it is rolled back', () => {
    const adopted = synthKarpenter({ helm: { ...helm, adopt: true } });
    expect(chartsOf(adopted).controller.DeletionPolicy).toBe('Retain');
    expect(adopted.only('Custom::HeadstartKarpenterCheck').Properties.adopt).toBe('true');
  });

  const policy = (name: string) => ({
    PolicyArn: `arn:<AWS::Partition>:eks::aws:cluster-access-policy/${name}`,
    AccessScope: { Type: 'cluster' },
  });
  const entryOf = (role: string) =>
    Object.entries(made.all('AWS::EKS::AccessEntry')).find(([, { Properties }]) =>
      shown(Properties.PrincipalArn).startsWith(`<${role}`),
    ) ?? [];

  test('has the role as an annotation with IRSA', () => {
    const irsa = synthKarpenter({ helm, identity: 'irsa', oidcIssuer: 'oidc.example/id/1' });
    const { serviceAccount } = JSON.parse(shown(chartsOf(irsa).controller.Properties.Values));
    expect(serviceAccount.annotations['eks.amazonaws.com/role-arn']).toMatch(/^<KarpenterControllerRole\w+\.Arn>$/);
  });

  test.each([
    { name: 'the security groups of the config', securityGroupIds: ['sg-0a1b2c3d'], groups: ['sg-0a1b2c3d'], rules: 0 },
    {
      name: 'a group of its own, which the cluster lets in',
      securityGroupIds: [],
      groups: [expect.anything()],
      rules: 1,
    },
  ])('is checked and run in the VPC of a private cluster, by ids alone, with $name', (row) => {
    const { securityGroupIds } = row;
    const subnetIds = ['subnet-0a1b2c3d', 'subnet-0a1b2c3e'];
    const inside = synthKarpenter({ helm }, { cluster: { vpc: { subnetIds, securityGroupIds } } });
    const placed = Object.entries(inside.all('AWS::Lambda::Function')).filter(([, one]) => one.Properties.VpcConfig);
    expect(placed.map(([id]) => id).sort()).toEqual([
      expect.stringMatching(/^KarpenterHelmCheckFunction/),
      expect.stringMatching(/^KarpenterHelmKubectlHandler/),
    ]);
    for (const [, { Properties }] of placed)
      expect(Properties.VpcConfig).toEqual({ SubnetIds: subnetIds, SecurityGroupIds: row.groups });
    // There may be no way to S3: what answers CloudFormation is another function.
    const token = inside.only('Custom::HeadstartKarpenterCheck').Properties.ServiceToken;
    expect(placed.map(([id]) => `<${id}.Arn>`)).not.toContain(shown(token));
    inside.template.resourceCountIs('AWS::EC2::SecurityGroupIngress', row.rules);
    const ingress = Object.keys(inside.all('AWS::EC2::SecurityGroupIngress'));
    expect(chartsOf(inside).crds.DependsOn).toEqual(expect.arrayContaining(ingress));
  });
});

test('another CDK app installs by bringing the layer itself', () => {
  const config = configOf({ karpenter: { manage: true } });
  const stack = new Stack(new App({ context: { 'aws:cdk:bundling-stacks': [] } }), 'Other');
  const kubectlLayer = new LayerVersion(stack, 'Layer', { code: Code.fromAsset('examples') });
  new KarpenterPrerequisites(stack, 'Karpenter', { config, kubectlLayer });
  const template = Template.fromStack(stack);
  template.resourceCountIs(CHART, 2);
  const layers = Object.values(template.findResources('AWS::Lambda::Function')).flatMap(
    ({ Properties }) => Properties.Layers ?? [],
  );
  expect(layers.map(shown)).toContainEqual(expect.stringMatching(/^<Layer\w+>$/));
});
