import { stringify } from 'yaml';
import { helmCommands, helmReleases } from '../../../../../shared/core/karpenter/install/helm-release';
import { karpenterSettings } from '../../../../../shared/core/karpenter/install/karpenter-settings';
import { golden } from '../../../../golden/golden';
import { configOf } from '../config-of';

const said = golden(`${__dirname}/helm-values.txt`);
const settingsOf = (karpenter: object = {}) =>
  karpenterSettings(configOf({ karpenter: { manage: true, ...karpenter } }));
const valuesOf = (karpenter: object = {}, facts = {}) => helmReleases(settingsOf(karpenter), facts)[1].values;

test('the CRDs come first, as a release of their own, and the controller brings none', () => {
  const releases = helmReleases(settingsOf(), {});
  expect(releases.map(({ release, skipCrds }) => ({ release, skipCrds }))).toEqual([
    { release: 'karpenter-crd', skipCrds: false },
    { release: 'karpenter', skipCrds: true },
  ]);
});

test.each([
  { name: 'whoever writes nothing gets these values, and no others', karpenter: {} },
  {
    name: "on a named node group the controller keeps off Karpenter's nodes, both in one term",
    karpenter: { helm: { install: false, nodeGroup: 'platform' } },
  },
])('$name', ({ name, karpenter }) => {
  said(name, stringify(valuesOf(karpenter)));
});

test('cluster, queue and zonal shift are settings', () => {
  expect(valuesOf({ zonalShift: true }, { queueName: 'demo' }).settings).toEqual({
    clusterName: 'demo',
    interruptionQueue: 'demo',
    enableZonalShift: true,
  });
});

test('the role is an annotation for IRSA only', () => {
  const annotations = { 'eks.amazonaws.com/role-arn': 'arn' };
  expect(valuesOf({}, { controllerRoleArn: 'arn' }).serviceAccount).toEqual({ name: 'karpenter', annotations });
  expect(valuesOf({ serviceAccount: 'other' }).serviceAccount).toEqual({ name: 'other', annotations: {} });
});

test('a stack that runs Helm signs the release, beside the annotations of the config; a command signs nothing', () => {
  const signed = { 'headstart.dev/installed-by': 'here' };
  const values = { additionalAnnotations: { team: 'platform' } };
  expect(valuesOf({}, { installedBy: 'here' }).additionalAnnotations).toEqual(signed);
  expect(valuesOf({ helm: { install: false, values } }, { installedBy: 'here' }).additionalAnnotations).toEqual({
    ...signed,
    team: 'platform',
  });
  expect(valuesOf()).not.toHaveProperty('additionalAnnotations');
});

describe('values of the config', () => {
  const values = {
    settings: { isolatedVPC: true },
    controller: { image: { repository: 'mirror/karpenter', digest: null } },
    tolerations: [{ key: 'platform', operator: 'Exists' }],
    replicas: 1,
    affinity: null,
  };
  const helm = { install: false, values };

  test('win over ours, map by map', () => {
    expect(valuesOf({ helm }, { queueName: 'demo' })).toMatchObject({
      settings: { clusterName: 'demo', interruptionQueue: 'demo', isolatedVPC: true },
      controller: { resources: { requests: { cpu: '1' } }, image: { repository: 'mirror/karpenter', digest: null } },
      tolerations: values.tolerations,
      replicas: 1,
      affinity: null,
    });
  });

  test('are in the command too, quoted for a shell', () => {
    const [, command] = helmCommands(settingsOf({ helm: { install: false, values: { note: "it's" } } }), {});
    expect(command).toContain(`--set-json 'note="it'\\''s"'`);
  });
});

test('the commands name chart, version and namespace, and hold every value', () => {
  const karpenter = {
    namespace: 'karpenter',
    version: '1.13.0',
    helm: { install: false, repository: 'oci://mirror/k' },
  };
  const [crds = '', controller = ''] = helmCommands(settingsOf(karpenter), { queueName: 'demo' });
  expect(crds).toBe(
    'helm upgrade --install karpenter-crd oci://mirror/k/karpenter-crd --version 1.13.0 --namespace karpenter --create-namespace --wait',
  );
  expect(controller).toMatch(/^helm upgrade --install karpenter oci:\/\/mirror\/k\/karpenter --version 1\.13\.0 /);
  expect(controller).toContain('--skip-crds');
  const set = Object.fromEntries(
    [...controller.matchAll(/--set-json '(\w+)=(.*?)'/g)].map(([, key, json]) => [key, JSON.parse(json ?? '')]),
  );
  expect(set).toEqual(valuesOf(karpenter, { queueName: 'demo' }));
});
