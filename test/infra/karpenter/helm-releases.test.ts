import { helmReleases } from '../../../shared/core/karpenter/install/helm-release';
import { karpenterSettings } from '../../../shared/core/karpenter/install/karpenter-settings';
import { configOf } from '../../shared/core/karpenter/config-of';
import { synthesizedKarpenter } from '../synthesized';
import { comesAfter, idOf } from '../template-order';

const LAYER = 'arn:aws:lambda:ap-northeast-2:123456789012:layer:kubectl:1';
const CHART = 'Custom::AWSCDK-EKS-HelmChart';
const CHECK = 'Custom::HeadstartKarpenterCheck';
const DROP = 'Custom::HeadstartDropAdmin';
const helm = { install: true, nodeGroup: 'platform', kubectlLayerArn: LAYER };
const nodePools = { service: { max: 2, pool: { family: ['m7i'] } } };
const config = configOf({ karpenter: { manage: true, helm }, nodePools });
const made = synthesizedKarpenter(config);
const chartOf = (release: string) =>
  Object.keys(made.all(CHART)).find((id) => made.all(CHART)[id]?.Properties.Release === release) ?? '';
const [crds, controller] = ['karpenter-crd', 'karpenter'].map(
  (release) => made.one(CHART, chartOf(release)).Properties,
);

test('the release has the values that the printed command would set', () => {
  const installedBy = '<AWS::AccountId>/<AWS::Region>/<AWS::StackName>';
  const [, { values }] = helmReleases(karpenterSettings(config), { queueName: 'demo', installedBy });
  expect(JSON.parse(controller.Values)).toEqual(values);
  expect(values).toMatchObject({ additionalAnnotations: { 'headstart.dev/installed-by': installedBy } });
  expect(made.one(CHECK).Properties.installedBy).toBe(installedBy);
});

test('Helm takes a failed controller back within the 15 minutes of its function; the CRDs never, since that may delete them', () => {
  expect([controller.Atomic, crds.Atomic]).toEqual([true, undefined]);
  // Helm waits as long again for what it takes back.
  expect(Number.parseInt(controller.Timeout, 10) * 2).toBeLessThan(15 * 60);
});

test('a role that runs Helm is admitted before it is needed, and loses cluster admin before NodePools are applied', () => {
  const access = (name: string) => idOf(made, 'AWS::EKS::AccessEntry', name);
  const [admin, check] = [access('KarpenterHelmAccess'), access('KarpenterHelmCheckAccess')];
  const pairs: [string, string][] = [
    [idOf(made, 'AWS::Lambda::Function', 'KarpenterHelmKubectlHandler'), admin],
    // Helm does not try again: the entry of the check comes later, and the check proves it admitted.
    [check, admin],
    [check, idOf(made, 'AWS::IAM::Policy', 'KarpenterHelmRole')],
    [idOf(made, CHECK), check],
    [idOf(made, CHART, chartOf('karpenter-crd')), idOf(made, CHECK)],
    // EKS refuses a role that IAM has just made; by the time a function is made, IAM knows it everywhere.
    [admin, idOf(made, 'AWS::Lambda::Function', 'KarpenterHelmCheckFunction')],
    [idOf(made, DROP), idOf(made, CHART, chartOf('karpenter'))],
    [idOf(made, 'Custom::HeadstartClusterObjects'), idOf(made, DROP)],
  ];
  expect(pairs.filter(([later, earlier]) => !comesAfter(made, later, earlier))).toEqual([]);
});

describe('a run of Helm', () => {
  const runOf = (karpenter: object, context: Readonly<Record<string, string>> = {}) => {
    const { all, one } = synthesizedKarpenter(configOf({ karpenter: { manage: true, helm, ...karpenter } }), context);
    return {
      charts: Object.keys(all(CHART)),
      role: String(one('AWS::IAM::Role', 'KarpenterHelmRole').Properties.Path).split('/')[3],
      checked: one(CHECK).Properties.run,
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
    expect(other.role).not.toBe(first.role);
    expect(other.checked).toBe(other.role);
    expect(other.charts.filter((id) => first.charts.includes(id))).toEqual([]);
  });

  test('is known by everything that CDK sends Helm: what it would add must be in its name', () => {
    const known = ['Chart', 'Version', 'Repository', 'Release', 'Namespace', 'CreateNamespace', 'Values', 'Timeout'];
    const others = ['ServiceToken', 'HeadstartClusterId', 'ClusterName', 'Atomic', 'SkipCrds', 'Wait'];
    const names = new Set([crds, controller].flatMap((properties) => Object.keys(properties)));
    expect([...names].filter((name) => ![...known, ...others].includes(name))).toEqual([]);
  });
});
