import { stringify } from 'yaml';
import { KARPENTER_VERSION } from '../../../../../shared/core/config/schema/karpenter-schema';
import { karpenterSettings } from '../../../../../shared/core/karpenter/install/karpenter-settings';
import { golden } from '../../../../golden/golden';
import { configOf } from '../config-of';

const said = golden(`${__dirname}/karpenter-settings.txt`);

const settingsOf = (karpenter: object | undefined, cluster: object = {}) =>
  karpenterSettings(configOf({ cluster, ...(karpenter && { karpenter: { manage: true, ...karpenter } }) }));

// The settings are in karpenter-settings.txt.
test('everything but the instance profile is created unless the config says otherwise', () => {
  said(stringify(settingsOf({})).replace(KARPENTER_VERSION, 'VERSION'));
});

test('nothing is created while karpenter is not managed', () => {
  const { nodeRole, controllerRole, queue, nodeAccess } = settingsOf(undefined);
  expect([nodeRole.kind, controllerRole.kind, queue.kind, nodeAccess]).toEqual(['none', 'none', 'none', 'none']);
});

test('a part that exists keeps its name, one that is switched off is left out', () => {
  expect(settingsOf({ queue: 'my-queue', controllerRole: 'my-controller', nodeRole: 'my-nodes' })).toMatchObject({
    queue: { kind: 'existing', name: 'my-queue' },
    controllerRole: { kind: 'existing', name: 'my-controller' },
    nodeRole: { kind: 'existing', name: 'my-nodes' },
  });
  expect(settingsOf({ queue: false })).toMatchObject({ queue: { kind: 'none' } });
});

test.each([
  { name: 'a role of ours gets an access entry', karpenter: {}, access: 'entry', expected: 'entry' },
  { name: 'without access entries aws-auth is printed', karpenter: {}, access: 'manual', expected: 'aws-auth' },
  {
    name: 'a role that exists has its access already',
    karpenter: { nodeRole: 'mine' },
    access: 'entry',
    expected: 'none',
  },
  {
    name: 'what is said about access counts',
    karpenter: { nodeRole: 'mine', nodeAccess: 'entry' },
    access: 'entry',
    expected: 'entry',
  },
])('$name', ({ karpenter, access, expected }) => {
  expect(settingsOf(karpenter, { access }).nodeAccess).toBe(expected);
});

test('an issuer is taken with and without https', () => {
  const issuer = 'oidc.eks.ap-northeast-2.amazonaws.com/id/ABC';
  for (const oidcIssuer of [issuer, `https://${issuer}`])
    expect(settingsOf({ identity: 'irsa', oidcIssuer }).identity).toEqual({ kind: 'irsa', issuer });
  const existing = { identity: 'irsa', controllerRole: 'mine' };
  expect(settingsOf(existing).identity).toEqual({ kind: 'irsa', issuer: '' });
});

test('discovery none tags nothing', () => {
  const { discovery } = settingsOf({ discovery: { subnets: 'none', securityGroups: 'none' } });
  expect(discovery).toEqual({ subnets: [], securityGroups: [] });
});

describe('the names of two clusters in one account never meet', () => {
  const long = 'x'.repeat(99);
  const clusters = [
    { name: 'demo', region: 'ap-northeast-2' },
    { name: 'demo', region: 'us-east-1' },
    { name: `${long}1`, region: 'us-east-1' },
    { name: `${long}2`, region: 'us-east-1' },
    { name: `${long}1`, region: 'us-west-2' },
  ];
  const all = clusters.map((cluster) => settingsOf({ instanceProfile: true }, cluster));

  test.each([
    { part: 'nodeRole', longest: 64 },
    { part: 'controllerRole', longest: 64 },
    { part: 'instanceProfile', longest: 128 },
  ] as const)('$part', ({ part, longest }) => {
    const names = all.map((settings) => (settings[part].kind === 'create' ? settings[part].name : ''));
    expect(new Set(names).size).toBe(clusters.length);
    for (const name of names) expect(name).toMatch(new RegExp(`^[\\w+=,.@-]{1,${longest}}$`));
  });

  test('queues, which are regional', () => {
    const names = all.map(({ queue }, index) => `${clusters[index]?.region}/${queue.kind === 'create' && queue.name}`);
    expect(new Set(names).size).toBe(clusters.length);
    for (const name of names) expect(name).toMatch(/\/[\w-]{1,80}$/);
  });
});
