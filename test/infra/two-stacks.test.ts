import { readFileSync } from 'node:fs';
import { needsKarpenterStack } from '../../infra/karpenter-stack';
import type { Config } from '../../shared/core/config/config';
import { minimal } from './demo-config';
import { configOf, type Resource, synthesized, synthesizedKarpenter } from './synthesized';

const example = configOf(readFileSync('examples/full.yaml', 'utf8'));
const full: Config = {
  ...example,
  karpenter: { manage: true, ...example.karpenter, instanceProfile: true, spotServiceLinkedRole: true },
};
const headroom = synthesized(full);
const karpenter = synthesizedKarpenter(full);

/** What Karpenter or a node of it uses at run time, by type, and how it is told apart from what serves only a deploy. */
const USED: Readonly<Record<string, (resource: Resource) => boolean>> = {
  'AWS::IAM::Role': ({ Properties }) => /^Karpenter/.test(String(Properties.RoleName)),
  'AWS::IAM::ManagedPolicy': ({ Properties }) => /^KarpenterController/.test(String(Properties.Description)),
  'AWS::IAM::InstanceProfile': () => true,
  'AWS::IAM::ServiceLinkedRole': () => true,
  'AWS::EKS::PodIdentityAssociation': () => true,
  'AWS::EKS::Addon': () => true,
  'AWS::EKS::AccessEntry': ({ Properties }) => Properties.Type === 'EC2_LINUX',
  'AWS::SQS::Queue': ({ Properties }) => Properties.QueueName === full.cluster.name,
  'AWS::SQS::QueuePolicy': ({ Properties }) => Properties.PolicyDocument.Id === 'EC2InterruptionPolicy',
  'AWS::Events::Rule': ({ Properties }) => /Karpenter/.test(String(Properties.Description)),
  'Custom::AWSCDK-EKS-HelmChart': () => true,
  'Custom::HeadstartDiscoveryTags': () => true,
};

const usedIn = (resources: Readonly<Record<string, Resource>>) =>
  Object.entries(resources).filter(([, resource]) => USED[resource.Type]?.(resource));

/** Every text of a template, wherever it stands. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.entries(value).flat(1).flatMap(textsIn) : [];
}

describe('destroying the headroom stack', () => {
  test('removes nothing that Karpenter or a node uses: none of it is in there', () => {
    expect(usedIn(headroom.resources).map(([id]) => id)).toEqual([]);
    expect(new Set(usedIn(karpenter.resources).map(([, { Type }]) => Type))).toEqual(new Set(Object.keys(USED)));
  });

  test('removes nothing that the other stack refers to: neither imports nor exports anything', () => {
    for (const { resources, outputs } of [headroom, karpenter]) {
      expect(textsIn(resources).filter((text) => text === 'Fn::ImportValue')).toEqual([]);
      expect(Object.values(outputs).filter((output) => 'Export' in output)).toEqual([]);
    }
  });

  test('removes no function, role or log of the other stack: each has its own, and neither names the other', () => {
    const names = ({ resources }: typeof headroom) =>
      Object.values(resources).flatMap(({ Properties = {} }) =>
        ['FunctionName', 'RoleName', 'QueueName', 'InstanceProfileName', 'LogGroupName'].flatMap((key) =>
          typeof Properties[key] === 'string' ? [Properties[key]] : [],
        ),
      );
    const [ours, theirs] = [names(headroom), names(karpenter)];
    expect(ours.length * theirs.length).toBeGreaterThan(0);
    for (const name of ours) expect(JSON.stringify(karpenter.resources)).not.toContain(`"${name}"`);
    for (const name of theirs.filter((name) => name !== full.cluster.name))
      expect(JSON.stringify(headroom.resources)).not.toContain(name);
  });
});

describe('the Karpenter stack', () => {
  test('keeps all that nodes need to launch and to terminate, even when it is deleted', () => {
    const removed = usedIn(karpenter.resources).filter(
      ([, { Type, DeletionPolicy = 'Delete', UpdateReplacePolicy }]) =>
        // Its function decides: tags that nodes still live on stay.
        Type !== 'Custom::HeadstartDiscoveryTags' &&
        (!/^Retain/.test(DeletionPolicy) || UpdateReplacePolicy !== 'Retain'),
    );
    expect(removed.map(([id]) => id)).toEqual([]);
  });

  test('is the one that applies NodePools, and says what is left to delete', () => {
    expect(Object.keys(karpenter.outputs)).toContain('NodePoolsLeftToDelete');
    expect(Object.keys(headroom.outputs).filter((name) => /LeftToDelete|Karpenter/.test(name))).toEqual([]);
  });

  test('is not touched by an edit of the headroom', () => {
    const headrooms = full.headrooms.map((pool) => ({ ...pool, max: pool.max + 1 }));
    expect(synthesizedKarpenter({ ...full, headrooms }).resources).toEqual(karpenter.resources);
  });
});

describe('one stack or two', () => {
  const cluster = 'cluster: {name: demo, region: eu-central-1}\n';
  const nodeRole = 'karpenter: {manage: false, nodeRole: nodes}\n';
  test.each([
    { name: 'the minimal config', config: minimal, two: false },
    {
      name: 'a karpenter block that manages nothing',
      config: configOf(`${cluster}${nodeRole}nodePools: {a: {max: 1}}`),
      two: false,
    },
    {
      name: 'karpenter.manage',
      config: configOf(`${cluster}karpenter: {manage: true}\nnodePools: {a: {max: 1}}`),
      two: true,
    },
    {
      name: 'a pool block',
      config: configOf(`${cluster}${nodeRole}nodePools: {a: {max: 1, pool: {family: [m7g]}}}`),
      two: true,
    },
  ])('$name', ({ config, two }) => {
    expect(needsKarpenterStack(config)).toBe(two);
    expect(usedIn(synthesized(config).resources)).toEqual([]);
  });

  test('a pool block without access entries is still a stack that CloudFormation deploys, to print what to apply', () => {
    const config = configOf(
      `${cluster.replace('}', ', access: manual}')}${nodeRole}nodePools: {a: {max: 1, pool: {family: [m7g]}}}`,
    );
    const { resources, outputs } = synthesizedKarpenter(config);
    expect(Object.keys(resources)).toHaveLength(1);
    expect(outputs.NodePoolsApply?.Value).toBe(
      'kubectl apply --server-side -f cdk.out/headstart-nodepools-demo-eu-central-1.yaml',
    );
  });
});
