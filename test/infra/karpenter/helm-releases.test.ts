import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Code, LayerVersion } from 'aws-cdk-lib/aws-lambda';
import { KarpenterPrerequisites } from '../../../infra/karpenter/karpenter-prerequisites';
import { helmReleases } from '../../../shared/core/karpenter/helm-release';
import { karpenterSettings } from '../../../shared/core/karpenter/karpenter-settings';
import { configOf } from '../../shared/core/karpenter/config-of';
import { synthesizedKarpenter } from '../synthesized';
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
    const installedBy = '<AWS::AccountId>/<AWS::Region>/<AWS::StackName>';
    const [, { values }] = helmReleases(settings, { queueName: 'demo', installedBy });
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

  test('is never uninstalled: not with the stack, and not by a rollback, to which an upgrade is a creation', () => {
    for (const { DeletionPolicy, UpdateReplacePolicy } of [crds, controller])
      expect([DeletionPolicy, UpdateReplacePolicy]).toEqual(['Retain', 'Retain']);
  });

  test('is taken back by Helm itself where it fails; the CRDs are not, since that may delete them', () => {
    expect(controller.Properties.Atomic).toBe(true);
    expect(crds.Properties.Atomic).toBeUndefined();
    // Helm waits as long again for what it takes back, and its function has 15 minutes for all.
    expect(Number.parseInt(String(controller.Properties.Timeout), 10) * 2).toBeLessThan(15 * 60);
  });

  test('is run by a function that is let in as an administrator before it exists', () => {
    const [id, entry] = entryOf('KarpenterHelmRole');
    expect(plain(entry?.Properties)).toMatchObject({
      ClusterName: 'demo',
      AccessPolicies: [policy('AmazonEKSClusterAdminPolicy')],
    });
    const functions = Object.entries(made.all('AWS::Lambda::Function'));
    const [handlerId, handler] = functions.find(([, { Properties }]) => Properties.Layers) ?? [];
    expect(handler?.DependsOn).toContain(id);
    expect(crds.DependsOn).toContain(handlerId);
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

  test('comes after a role was admitted that was let in after its own: Helm does not try again', () => {
    const [own] = entryOf('KarpenterHelmRole');
    const [, later] = entryOf('KarpenterHelmCheckRole');
    expect(later?.DependsOn).toContain(own);
    expect(later?.DependsOn).toContainEqual(expect.stringMatching(/^KarpenterHelmRoleDefaultPolicy/));
  });

  test('is let in late, as is the look before it: EKS refuses a role that IAM has just made', () => {
    const checker = Object.keys(made.all('AWS::Lambda::Function')).find((id) => /^KarpenterHelmCheckFunction/.test(id));
    for (const role of ['KarpenterHelmRole', 'KarpenterHelmCheckRole'])
      expect(entryOf(role)[1]?.DependsOn).toContain(checker);
  });

  test('is let in anew, as is the look before it, where the cluster was created again', () => {
    const roles = Object.entries(made.all('AWS::IAM::Role')).filter(([id]) =>
      /^KarpenterHelm(Role|CheckRole)/.test(id),
    );
    expect(roles).toHaveLength(2);
    for (const [, { Properties }] of roles)
      expect(shown(Properties.Path)).toMatch(/^\/headstart\/<\w+\.ClusterId>\/\w{12}\/$/);
  });

  test('is installed again where the cluster was created again, since it went with the old one', () => {
    const check = made.only('Custom::HeadstartKarpenterCheck');
    for (const { Properties } of [crds, controller])
      expect(shown(Properties.HeadstartClusterId)).toMatch(/^<\w+\.ClusterId>$/);
    expect(shown(check.Properties.clusterId)).toBe(shown(controller.Properties.HeadstartClusterId));
  });

  test('that is adopted is looked for too', () => {
    const adopted = synthKarpenter({ helm: { ...helm, adopt: true } });
    expect(adopted.only('Custom::HeadstartKarpenterCheck').Properties.adopt).toBe('true');
  });

  test('carries the name by which the look knows it as its own', () => {
    const { additionalAnnotations } = JSON.parse(shown(controller.Properties.Values));
    const { installedBy } = made.only('Custom::HeadstartKarpenterCheck').Properties;
    expect(additionalAnnotations).toEqual({ 'headstart.dev/installed-by': shown(installedBy) });
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

describe('cluster admin', () => {
  const made = synthKarpenter({ helm });

  test('ends for the role that ran Helm, as soon as the controller is there', () => {
    const drop = made.only('Custom::HeadstartDropAdmin');
    const charts = Object.entries(made.all(CHART));
    const [controllerId] = charts.find(([, { Properties }]) => Properties.Release === 'karpenter') ?? [];
    expect(drop.DependsOn).toContain(controllerId);
    expect(shown(drop.Properties.deployer)).toMatch(/^<KarpenterHelmRole\w+\.Arn>$/);
    expect(shown(drop.Properties.adminPolicy)).toMatch(/\/AmazonEKSClusterAdminPolicy$/);
  });

  test('ends before NodePools are applied, which others may refuse', () => {
    const pools = { service: { max: 2, pool: { family: ['m7i'] } } };
    const config = configOf({ karpenter: { manage: true, helm }, nodePools: pools });
    const { resources } = synthesizedKarpenter(config);
    const idsOf = (type: string) => Object.keys(resources).filter((id) => resources[id]?.Type === type);
    const [objects = ''] = idsOf('Custom::HeadstartClusterObjects');
    expect(idsOf('Custom::HeadstartDropAdmin')).toHaveLength(1);
    expect(resources[objects]?.DependsOn).toEqual(expect.arrayContaining(idsOf('Custom::HeadstartDropAdmin')));
  });

  test('is ended by a function that may take a policy off that one entry, and change nothing else in EKS', () => {
    const [entryId] =
      Object.entries(made.all('AWS::EKS::AccessEntry')).find(([, { Properties }]) =>
        shown(Properties.PrincipalArn).startsWith('<KarpenterHelmRole'),
      ) ?? [];
    const [, { Properties }] = Object.entries(made.all('AWS::IAM::Policy')).find(([id]) =>
      id.startsWith('KarpenterHelmNarrow'),
    ) as [string, Resource];
    const { Statement } = plain(Properties.PolicyDocument) as { Statement: { Action: string; Resource: string }[] };
    const changes = Statement.filter(
      ({ Action }) => !/^(logs:|eks:Describe|cloudformation:Describe)/.test(String(Action)),
    );
    expect(changes).toEqual([
      {
        Action: 'eks:DisassociateAccessPolicy',
        Effect: 'Allow',
        Resource: `<${entryId}.AccessEntryArn>`,
        Condition: {
          ArnEquals: {
            'eks:policyArn': 'arn:<AWS::Partition>:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy',
          },
        },
      },
      { Action: 'eks:ListAssociatedAccessPolicies', Effect: 'Allow', Resource: `<${entryId}.AccessEntryArn>` },
    ]);
  });
});

test('the Karpenter stack looks daily for cluster admin on the roles that ran Helm and applied NodePools, and only there', () => {
  const pool = { family: ['m7i'] };
  const config = configOf({ karpenter: { manage: true, helm }, nodePools: { default: { max: 1, pool } } });
  const { all, resources } = synthesizedKarpenter(config);
  const inputs = Object.values(all('AWS::Scheduler::Schedule')).map(({ Properties }) => ({
    name: Properties.Name,
    deadLetters: Properties.Target.DeadLetterConfig,
    principal: JSON.parse(Properties.Target.Input).dropAdmin.principalArn,
  }));
  expect(inputs).toEqual([
    { name: 'daily-drop-admin-helm', principal: expect.stringMatching(/HelmRole/) },
    { name: 'daily-drop-admin-node-pools', principal: expect.stringMatching(/NodePoolsObjectsChangeRole/) },
  ]);
  const groups = Object.values(resources).filter(({ Type }) => Type === 'AWS::Scheduler::ScheduleGroup');
  expect(groups).toHaveLength(1);
});

describe('a run of Helm', () => {
  const runOf = (karpenter: object, context: Readonly<Record<string, string>> = {}) => {
    const made = synthKarpenter({ helm, ...karpenter }, {}, context);
    const roles = Object.entries(made.all('AWS::IAM::Role')).filter(([id]) => id.startsWith('KarpenterHelmRole'));
    return {
      charts: Object.keys(made.all(CHART)),
      paths: roles.map(([, { Properties }]) => shown(Properties.Path).split('/')[3]),
      checked: made.only('Custom::HeadstartKarpenterCheck').Properties.run,
    };
  };
  const first = runOf({});

  test('is the same one for the same charts, whatever else changes', () => {
    expect(runOf({ discovery: { subnets: 'none' } })).toEqual(first);
  });

  test.each([
    { name: 'version', karpenter: { version: '1.14.0' } },
    { name: 'namespace', karpenter: { namespace: 'karpenter' } },
    { name: 'value', karpenter: { helm: { ...helm, values: { replicas: 3 } } } },
    { name: 'repository', karpenter: { helm: { ...helm, repository: 'oci://mirror.example/karpenter' } } },
    { name: '-c again', karpenter: {}, context: { again: '1' } },
  ])('of another $name has another role and is a creation, so that no old role runs Helm again', (row) => {
    const other = runOf(row.karpenter, row.context);
    expect(other.paths).not.toEqual(first.paths);
    expect(other.checked).not.toEqual(first.checked);
    expect(other.checked).toBe(other.paths[0]);
    expect(other.charts.filter((id) => first.charts.includes(id))).toEqual([]);
  });

  test('is known by everything that CDK sends Helm: what it would add must be in its name', () => {
    const names = Object.values(synthKarpenter({ helm }).all(CHART)).map(({ Properties }) => Object.keys(Properties));
    const known = [
      'ServiceToken',
      'HeadstartClusterId',
      'Atomic',
      'SkipCrds',
      'Chart',
      'ClusterName',
      'CreateNamespace',
    ];
    known.push('Namespace', 'Release', 'Repository', 'Timeout', 'Values', 'Version', 'Wait');
    expect(names.flat().filter((name) => !known.includes(name))).toEqual([]);
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
