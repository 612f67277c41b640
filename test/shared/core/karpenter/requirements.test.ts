import { nodePool, requirement } from './made-of';

describe('requirements', () => {
  const region = 'ap-northeast-2';
  test.each([
    {
      name: 'family',
      pool: { family: ['t3', 't3a'] },
      key: 'karpenter.k8s.aws/instance-family',
      values: ['t3', 't3a'],
    },
    {
      name: 'size',
      pool: { size: ['medium', 'large'] },
      key: 'karpenter.k8s.aws/instance-size',
      values: ['medium', 'large'],
    },
    { name: 'category', pool: { category: ['g'] }, key: 'karpenter.k8s.aws/instance-category', values: ['g'] },
    {
      name: 'instance types',
      pool: { instanceTypes: ['m7i.large'] },
      key: 'node.kubernetes.io/instance-type',
      values: ['m7i.large'],
    },
    { name: 'arch', pool: { arch: ['amd64', 'arm64'] }, key: 'kubernetes.io/arch', values: ['amd64', 'arm64'] },
    {
      name: 'zones by letter',
      pool: { zones: ['a', 'c'] },
      key: 'topology.kubernetes.io/zone',
      values: [`${region}a`, `${region}c`],
    },
    {
      name: 'zones by name',
      pool: { zones: [`${region}b`] },
      key: 'topology.kubernetes.io/zone',
      values: [`${region}b`],
    },
    {
      name: 'capacity type',
      pool: { capacityType: ['spot', 'on-demand'] },
      key: 'karpenter.sh/capacity-type',
      values: ['spot', 'on-demand'],
    },
  ])('$name becomes one requirement', ({ pool, key, values }) => {
    expect(requirement(pool, key)).toEqual([{ key, operator: 'In', values }]);
  });

  test.each([
    { name: '> 2', operator: 'Gt', values: ['2'] },
    { name: '>=5', operator: 'Gte', values: ['5'] },
    { name: '< 7', operator: 'Lt', values: ['7'] },
    { name: '<= 6', operator: 'Lte', values: ['6'] },
  ])('generation "$name" compares', ({ name, operator, values }) => {
    const key = 'karpenter.k8s.aws/instance-generation';
    expect(requirement({ generation: name }, key)).toEqual([{ key, operator, values }]);
  });

  test('an empty block is on-demand Linux on amd64 of a recent c, m or r, never "anything"', () => {
    expect(nodePool({}).template.spec.requirements).toEqual([
      { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
      { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
      { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['c', 'm', 'r'] },
      { key: 'karpenter.k8s.aws/instance-generation', operator: 'Gt', values: ['2'] },
    ]);
  });

  test('who names families or instance types gets no category and generation on top', () => {
    for (const pool of [{ family: ['t2'] }, { instanceTypes: ['t2.micro'] }]) {
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
    expect(requirement({ ami: 'windows2022@latest' }, 'kubernetes.io/os')[0]?.values).toEqual(['windows']);
  });
});
