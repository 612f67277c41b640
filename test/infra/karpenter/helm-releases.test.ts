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
  expect(synthKarpenter({ controllerRole: false }).outputs).toEqual([]);
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

  test('leaves the CRDs when it goes, even in a first deploy that fails: deleting them would drain every node', () => {
    expect(crds.DeletionPolicy).toBe('Retain');
    expect(controller.DeletionPolicy).toBe('Delete');
  });

  test('is run by a function that is let in as an administrator before it exists', () => {
    const entries = Object.entries(made.all('AWS::EKS::AccessEntry'));
    const [id, entry] = entries.find(([, { Properties }]) => Properties.Type === undefined) ?? [];
    expect(plain(entry?.Properties)).toMatchObject({
      ClusterName: 'demo',
      PrincipalArn: expect.stringMatching(/^<KarpenterHelmRole\w+\.Arn>$/),
      AccessPolicies: [
        {
          PolicyArn: 'arn:<AWS::Partition>:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy',
          AccessScope: { Type: 'cluster' },
        },
      ],
    });
    const handler = Object.values(made.all('AWS::Lambda::Function')).find(({ Properties }) => Properties.Layers);
    expect(handler?.DependsOn).toContain(id);
    expect(handler?.Properties.Layers).toContain(LAYER);
  });

  test('has the role as an annotation with IRSA', () => {
    const irsa = synthKarpenter({ helm, identity: 'irsa', oidcIssuer: 'oidc.example/id/1' });
    const { serviceAccount } = JSON.parse(shown(chartsOf(irsa).controller.Properties.Values));
    expect(serviceAccount.annotations['eks.amazonaws.com/role-arn']).toMatch(/^<KarpenterControllerRole\w+\.Arn>$/);
  });

  test('is run in the VPC of a private cluster, by ids alone', () => {
    const vpc = { subnetIds: ['subnet-0a1b2c3d', 'subnet-0a1b2c3e'], securityGroupIds: ['sg-0a1b2c3d'] };
    const inside = synthKarpenter({ helm }, { cluster: { vpc } });
    const placed = Object.values(inside.all('AWS::Lambda::Function')).filter(({ Properties }) => Properties.VpcConfig);
    expect(placed.map(({ Properties }) => Properties)).toEqual([
      expect.objectContaining({
        Layers: expect.arrayContaining([LAYER]),
        VpcConfig: { SubnetIds: vpc.subnetIds, SecurityGroupIds: vpc.securityGroupIds },
      }),
    ]);
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
