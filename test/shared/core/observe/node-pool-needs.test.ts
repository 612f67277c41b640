import { hasImageVolumes, needsOf } from '../../../../shared/core/observe/node-pool-needs';
import { configOf } from '../../../fakes/fake-runtime';
import { currentWith } from '../apply/current-headroom';

const [plain] = configOf('  web: {max: 5}\n').headrooms;
if (!plain) throw new Error('no pool');
const pool = plain;

const template = (spec: unknown) => currentWith({ object: { spec: { template: { spec } } } });
const affinity = (matchExpressions: unknown) => ({
  nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } },
});
const ZONES = { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['a', 'b'] };

describe("a NodePool's taints are tolerated", () => {
  test.each([
    {
      name: 'by their value',
      taint: { key: 'team', value: 'a', effect: 'NoSchedule' },
      toleration: { key: 'team', operator: 'Equal', value: 'a', effect: 'NoSchedule' },
    },
    {
      name: 'whatever they hold where they have no value',
      taint: { key: 'team', effect: 'NoExecute' },
      toleration: { key: 'team', operator: 'Exists', effect: 'NoExecute' },
    },
    {
      name: 'whatever they hold where their value is empty',
      taint: { key: 'team', value: '', effect: 'NoSchedule' },
      toleration: { key: 'team', operator: 'Exists', effect: 'NoSchedule' },
    },
  ])('$name', ({ taint, toleration }) => {
    expect(needsOf(pool, { name: 'web', taints: [taint] }, undefined)).toStrictEqual({
      defaultTolerations: [toleration],
    });
  });
});

test("a NodePool's zones are kept to", () => {
  expect(needsOf(pool, { name: 'web', taints: [], zones: ['a'] }, undefined)).toStrictEqual({
    defaultTolerations: [],
    zones: ['a'],
  });
});

test("the labels of a NodePool's instances are those of its node class", () => {
  const facts = { name: 'web', taints: [], nodeClassGroup: 'karpenter.k8s.aws' };
  expect(needsOf(pool, facts, undefined)).toStrictEqual({ defaultTolerations: [], labelPrefix: 'karpenter.k8s.aws' });
});

describe('while the NodePool cannot be read', () => {
  test.each(['karpenter.k8s.aws/instance-cpu', 'karpenter.k8s.aws/instance-memory'])(
    'the live headroom keeps the node class of its label %s',
    (key) => {
      const current = template({
        affinity: affinity([
          { key: 'other', values: ['x'] },
          { key, values: ['4'] },
        ]),
      });
      const needs = { defaultTolerations: [], labelPrefix: 'karpenter.k8s.aws' };
      expect(needsOf(pool, undefined, current)).toStrictEqual(needs);
    },
  );

  test('the live headroom keeps its tolerations and zones', () => {
    const tolerations = [{ key: 'team', operator: 'Exists' }];
    const current = template({ tolerations, affinity: affinity([{ key: 'other', values: ['x'] }, ZONES]) });
    expect(needsOf(pool, undefined, current)).toStrictEqual({ defaultTolerations: tolerations, zones: ['a', 'b'] });
  });

  test('zones that the config itself states are not taken for those of the NodePool', () => {
    const stated = { ...pool, nodeAffinity: [{ key: ZONES.key, operator: 'In' as const, values: ['a', 'b'] }] };
    const current = template({ affinity: affinity([ZONES]) });
    expect(needsOf(stated, undefined, current)).toStrictEqual({ defaultTolerations: [] });
  });

  test.each([
    { name: 'no headroom', current: undefined },
    { name: 'no object', current: currentWith({ object: undefined }) },
    { name: 'no spec', current: currentWith({ object: {} }) },
    { name: 'no template', current: currentWith({ object: { spec: {} } }) },
    { name: 'no pod', current: currentWith({ object: { spec: { template: {} } } }) },
    { name: 'no affinity', current: template({}) },
    { name: 'no node affinity', current: template({ affinity: {} }) },
    { name: 'no required affinity', current: template({ affinity: { nodeAffinity: {} } }) },
    {
      name: 'no terms',
      current: template({ affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: {} } } }),
    },
    { name: 'no expressions', current: template({ affinity: affinity(undefined) }) },
    { name: 'no zone', current: template({ affinity: affinity([{ key: 'other', values: ['x'] }]) }) },
  ])('nothing is asked for where there is $name', ({ current: live }) => {
    expect(needsOf(pool, undefined, live)).toStrictEqual({ defaultTolerations: [] });
    expect(hasImageVolumes(live)).toBe(false);
  });
});

test('a headroom warms images where one of its volumes is an image', () => {
  expect(hasImageVolumes(template({ volumes: [{}, { image: { reference: 'x' } }] }))).toBe(true);
  expect(hasImageVolumes(template({ volumes: [{ emptyDir: {} }] }))).toBe(false);
});
