import type { HeadroomConfig } from '../../../../shared/core/config/config';
import { AUTO_MODE_GROUP, BUILT_IN_NODE_POOLS, isAutoMode } from '../../../../shared/core/karpenter/auto-mode';
import { canLand } from '../../../../shared/core/karpenter/can-land';
import { awsAuthCommand } from '../../../../shared/core/karpenter/install/aws-auth';
import {
  ADDED_BY_TAG,
  DISCOVERY_TAG,
  discoveryOutcome,
  keepDiscoveryTags,
} from '../../../../shared/core/karpenter/install/discovery-tags';
import { karpenterSettings } from '../../../../shared/core/karpenter/install/karpenter-settings';
import { nodesFor } from '../../../../shared/core/karpenter/nodes-for';
import { reachedLimits } from '../../../../shared/core/karpenter/reached-limits';
import { repellingTaint } from '../../../../shared/core/karpenter/repelling-taint';
import { FakeNetwork } from '../../../fakes/fake-network';
import { configOf } from './config-of';

test('NodePools of EKS Auto Mode are known by the group of their node class', () => {
  expect([AUTO_MODE_GROUP, ...BUILT_IN_NODE_POOLS]).toEqual(['eks.amazonaws.com', 'general-purpose', 'system']);
  const [own, auto] = [{ nodeClassGroup: 'karpenter.k8s.aws' }, { nodeClassGroup: 'eks.amazonaws.com' }];
  expect([[], [own], [{}], [own, auto]].map(isAutoMode)).toEqual([false, false, false, true]);
});

test('the command for aws-auth names the role without its path', () => {
  const command = (role: string) =>
    awsAuthCommand(
      karpenterSettings(configOf({ karpenter: { manage: true } })),
      `arn:aws:iam::123456789012:role/${role}`,
    );
  const written =
    "eksctl create iamidentitymapping --cluster demo --region ap-northeast-2 --arn arn:aws:iam::123456789012:role/nodes --username 'system:node:{{EC2PrivateDNSName}}' --group system:bootstrappers --group system:nodes";
  expect([command('nodes'), command('some/path/nodes')]).toEqual([written, written]);
});

describe('how many nodes replicas take', () => {
  const pool = (unit: HeadroomConfig['unit'], minNode?: HeadroomConfig['minNode']) =>
    nodesFor({ unit, ...(minNode && { minNode }) } as HeadroomConfig);
  const slice = (requests: Record<string, string>) => ({ kind: 'slice' as const, requests });
  test.each([
    { name: 'a node each', made: pool({ kind: 'node', requests: {} }, { cpu: 4 }), nodes: 7 },
    { name: 'a floor each', made: pool({ kind: 'floor', requests: {} }), nodes: 7 },
    { name: 'slices by cpu', made: pool(slice({ cpu: '1500m' }), { cpu: 4 }), nodes: 4 },
    { name: 'slices by memory', made: pool(slice({ memory: '1Gi' }), { memoryMiB: 3_072 }), nodes: 3 },
    {
      name: 'slices by what is short',
      made: pool(slice({ cpu: '1', memory: '1Gi' }), { cpu: 7, memoryMiB: 2_048 }),
      nodes: 4,
    },
    { name: 'slices without a node size', made: pool(slice({ cpu: '1' })), nodes: undefined },
    {
      name: 'slices of another resource',
      made: pool(slice({ 'nvidia.com/gpu': '1' }), { cpu: 4, memoryMiB: 9 }),
      nodes: undefined,
    },
    { name: 'slices that do not fit', made: pool(slice({ cpu: '5' }), { cpu: 4 }), nodes: undefined },
    { name: 'slices that just fit', made: pool(slice({ cpu: '4' }), { cpu: 4 }), nodes: 7 },
  ])('$name', ({ made, nodes }) => expect(made?.(7)).toBe(nodes));
});

test.each([
  { name: 'room for one more', limits: { cpu: '10' }, used: { cpu: '9' }, reached: [] },
  { name: 'no room for one more', limits: { cpu: '10' }, used: { cpu: '9500m' }, reached: ['cpu 9500m of 10'] },
  { name: 'nothing used yet', limits: { cpu: '500m' }, used: {}, reached: ['cpu 0 of 500m'] },
  { name: 'a node more', limits: { nodes: '3' }, used: { nodes: '3' }, reached: ['nodes 3 of 3'] },
  { name: 'room for a node more', limits: { nodes: '3' }, used: { nodes: '2' }, reached: [] },
  { name: 'a resource that it does not ask for', limits: { pods: '3' }, used: { pods: '3' }, reached: [] },
  { name: 'more than the limit of one', limits: { pods: '3' }, used: { pods: '4' }, reached: ['pods 4 of 3'] },
  { name: 'a limit that is no quantity', limits: { cpu: 'many' }, used: { cpu: '9' }, reached: [] },
  { name: 'a use that is no quantity', limits: { cpu: '1' }, used: { cpu: 'many' }, reached: [] },
])('limits: $name', ({ limits, used, reached }) => {
  const found = reachedLimits({ limits, used: used as Record<string, string> }, { cpu: '1', memory: 'much' });
  expect(found.map((one) => `${one.resource} ${one.used} of ${one.limit}`)).toEqual(reached);
});

describe('taints', () => {
  const taint = { key: 'dedicated', value: 'ci', effect: 'NoSchedule' } as const;
  const valueless = { key: 'dedicated', effect: 'NoExecute' } as const;
  test.each([
    { name: 'are not tolerated by nothing', tolerations: [], taints: [taint], repelled: taint },
    { name: 'that only make a node less liked repel nobody', taints: [{ ...taint, effect: 'PreferNoSchedule' }] },
    { name: 'are tolerated by key and value', tolerations: [{ key: 'dedicated', value: 'ci' }], taints: [taint] },
    {
      name: 'of another value are not',
      tolerations: [{ key: 'dedicated', value: 'x' }],
      taints: [taint],
      repelled: taint,
    },
    {
      name: 'of another key are not',
      tolerations: [{ key: 'x', operator: 'Exists' }],
      taints: [taint],
      repelled: taint,
    },
    { name: 'without a value are tolerated by none', tolerations: [{ key: 'dedicated' }], taints: [valueless] },
    { name: 'are tolerated by existence', tolerations: [{ key: 'dedicated', operator: 'Exists' }], taints: [taint] },
    { name: 'are tolerated by everything', tolerations: [{ operator: 'Exists' }], taints: [taint] },
    { name: 'are not tolerated by a value alone', tolerations: [{ value: 'ci' }], taints: [taint], repelled: taint },
    {
      name: 'of another effect are not tolerated',
      tolerations: [{ operator: 'Exists', effect: 'NoExecute' }],
      taints: [taint],
      repelled: taint,
    },
    { name: 'of the same effect are', tolerations: [{ operator: 'Exists', effect: 'NoSchedule' }], taints: [taint] },
    {
      name: 'repel by the first',
      tolerations: [{ key: 'dedicated', value: 'ci' }],
      taints: [taint, valueless],
      repelled: valueless,
    },
  ])('$name', ({ tolerations = [], taints, repelled }) => {
    expect(repellingTaint(tolerations as never, taints as never)).toBe(repelled);
  });
});

describe('a pod lands on a node', () => {
  const claim = { labels: { zone: 'a' }, taints: [], deleting: false, launched: true };
  const pod = { nodeSelector: { zone: 'a' }, expressions: [], tolerations: [] };
  const size = { key: 'cpu', operator: 'Gt', values: ['3'] };
  test.each([
    { name: 'of its labels', lands: true },
    { name: 'of other labels', claim: { labels: { zone: 'b' } }, lands: false },
    { name: 'that goes', claim: { deleting: true }, lands: false },
    { name: 'that lacks a label', pod: { expressions: [size] }, lands: false },
    {
      name: 'that lacks a label because it is still launching',
      pod: { expressions: [size] },
      claim: { launched: false },
      lands: true,
    },
    {
      name: 'that is still launching and too small',
      pod: { expressions: [size] },
      claim: { launched: false, labels: { zone: 'a', cpu: '2' } },
      lands: false,
    },
    { name: 'that a taint keeps it off', claim: { taints: [{ key: 'a', effect: 'NoSchedule' }] }, lands: false },
  ])('$name: $lands', ({ claim: other = {}, pod: more = {}, lands }) => {
    expect(canLand({ ...pod, ...more }, { ...claim, ...other } as never)).toBe(lands);
  });
});

test('discovery says in one line what it did, with the command for what it left', () => {
  const outcome = (added: string[], removed: string[], stale: string[]) => discoveryOutcome({ added, removed, stale });
  expect(outcome([], [], [])).toBe('nothing to do');
  expect(outcome(['a', 'b'], ['c', 'd'], [])).toBe('added to a, b; removed from c, d');
  expect(outcome([], [], ['a', 'b'])).toBe(
    'kept on a, b, which discovery no longer finds: Karpenter replaces the nodes there if you run aws ec2 delete-tags --resources a b --tags Key=karpenter.sh/discovery Key=headstart.dev/added-discovery',
  );
});

test('tags that are kept are named in order, and stay', async () => {
  const tags = { [DISCOVERY_TAG]: 'demo', [ADDED_BY_TAG]: 'me' };
  const aws = new FakeNetwork(
    new Map([
      ['b', tags],
      ['a', tags],
      ['z', { ...tags, [ADDED_BY_TAG]: 'you' }],
    ]),
  );
  expect(await keepDiscoveryTags({ clusterName: 'demo', owner: 'me' }, aws)).toEqual({
    added: [],
    removed: [],
    stale: ['a', 'b'],
  });
  expect(aws.writes).toBe(0);
});
