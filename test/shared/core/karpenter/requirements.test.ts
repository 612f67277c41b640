import { spotRequirements } from '../../../../shared/core/karpenter/requirements';
import { nodePool, requirement } from './made-of';

describe('requirements', () => {
  const region = 'ap-northeast-2';
  test.each<[string, object, string, readonly string[]]>([
    ['family', { family: ['t3', 't3a'] }, 'karpenter.k8s.aws/instance-family', ['t3', 't3a']],
    ['size', { size: ['medium', 'large'] }, 'karpenter.k8s.aws/instance-size', ['medium', 'large']],
    ['category', { category: ['g'] }, 'karpenter.k8s.aws/instance-category', ['g']],
    ['instance types', { instanceTypes: ['m7i.large'] }, 'node.kubernetes.io/instance-type', ['m7i.large']],
    ['arch', { arch: ['amd64', 'arm64'] }, 'kubernetes.io/arch', ['amd64', 'arm64']],
    ['zones by letter', { zones: ['a', 'c'] }, 'topology.kubernetes.io/zone', [`${region}a`, `${region}c`]],
    ['zones by name', { zones: [`${region}b`] }, 'topology.kubernetes.io/zone', [`${region}b`]],
    ['capacity type', { capacityType: ['spot', 'on-demand'] }, 'karpenter.sh/capacity-type', ['spot', 'on-demand']],
  ])('%s becomes one requirement', (_name, pool, key, values) => {
    expect(requirement(pool, key)).toEqual([{ key, operator: 'In', values }]);
  });

  test.each([
    { name: '> 2', operator: 'Gt', values: ['2'] },
    { name: '>  10', operator: 'Gt', values: ['10'] },
    { name: '>=5', operator: 'Gt', values: ['4'] },
    { name: '< 7', operator: 'Lt', values: ['7'] },
    { name: '<= 6', operator: 'Lt', values: ['7'] },
  ])('generation "$name" compares with an operator that every CRD of Karpenter knows', ({ name, operator, values }) => {
    const key = 'karpenter.k8s.aws/instance-generation';
    expect(requirement({ generation: name }, key)).toEqual([{ key, operator, values }]);
  });

  test('>= and <= in requirements, also of a twin, are written for older CRDs; at least 0 is not written', () => {
    const key = 'karpenter.k8s.aws/instance-cpu';
    const at = (operator: 'Gte' | 'Lte', value: string) => ({ requirements: [{ key, operator, values: [value] }] });
    expect(requirement(at('Gte', '8'), key)).toEqual([{ key, operator: 'Gt', values: ['7'] }]);
    expect(requirement(at('Lte', '8'), key)).toEqual([{ key, operator: 'Lt', values: ['9'] }]);
    expect(requirement(at('Gte', '1'), key)).toEqual([{ key, operator: 'Gt', values: ['0'] }]);
    expect(requirement(at('Gte', '0'), key)).toEqual([]);
    expect(requirement({ generation: '>=0' }, 'karpenter.k8s.aws/instance-generation')).toEqual([]);
    const twin = spotRequirements({ spotTwin: true, spot: at('Gte', '4') }, 'eu-west-1');
    expect(twin.filter((found) => found.key === key)).toEqual([{ key, operator: 'Gt', values: ['3'] }]);
  });

  test('a block of families, and its twin, ask for nothing else', () => {
    const [key, operator] = ['karpenter.k8s.aws/instance-family', 'In'];
    const pool = { family: ['t3'], spotTwin: true };
    const [os, arch, capacity] = nodePool({}).template.spec.requirements;
    const family = { key, operator, values: ['t3'] };
    expect(nodePool(pool).template.spec.requirements).toStrictEqual([os, arch, capacity, family]);
    const spot = { ...capacity, values: ['spot'] };
    expect(nodePool(pool, 'default-spot').template.spec.requirements).toStrictEqual([os, arch, family, spot]);
  });

  test('who names categories gets no generation on top', () => {
    expect(requirement({ category: ['c', 'm'] }, 'karpenter.k8s.aws/instance-generation')).toEqual([]);
  });

  test('who names families or instance types gets no category and generation on top', () => {
    const notIn = (key: string) => ({ requirements: [{ key, operator: 'NotIn' as const, values: ['t2'] }] });
    for (const pool of [
      { family: ['t2'] },
      { instanceTypes: ['t2.micro'] },
      notIn('karpenter.k8s.aws/instance-family'),
      notIn('node.kubernetes.io/instance-type'),
    ]) {
      expect(requirement(pool, 'karpenter.k8s.aws/instance-category')).toEqual([]);
      expect(requirement(pool, 'karpenter.k8s.aws/instance-generation')).toEqual([]);
    }
  });

  test('a custom requirement replaces the default of its key and keeps every field', () => {
    const custom = [
      { key: 'karpenter.k8s.aws/instance-category', operator: 'NotIn', values: ['t'] },
      { key: 'capacity-spread', operator: 'In', values: ['on-demand-1', 'on-demand-2'] },
      { key: 'karpenter.k8s.aws/instance-family', operator: 'Exists', minValues: 5 },
    ];
    const all = nodePool({ requirements: custom }).template.spec.requirements;
    expect(all).toEqual(expect.arrayContaining(custom));
    expect(all.filter(({ key }) => key === 'karpenter.k8s.aws/instance-category')).toHaveLength(1);
  });

  test('numbers and booleans become text', () => {
    const requirements = [{ key: 'capacity-spread', operator: 'In', values: [1, true] }];
    expect(requirement({ requirements }, 'capacity-spread')[0]?.values).toEqual(['1', 'true']);
  });

  test('a Windows image asks for Windows', () => {
    const selected = { amiFamily: 'Windows2022', amiSelector: [{ id: 'ami-1' }] };
    for (const pool of [{ ami: 'windows2022@latest' }, selected])
      expect(requirement(pool, 'kubernetes.io/os')[0]?.values).toEqual(['windows']);
    expect(requirement({ ami: 'bottlerocket@latest' }, 'kubernetes.io/os')[0]?.values).toEqual(['linux']);
  });
});
