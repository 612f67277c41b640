import { instanceTypes, priceListOf } from '../../../shared/pricing/instance-types';
import data from '../../../shared/pricing/instance-types.json';

describe('the price list', () => {
  test('says where it is from, under which licences and of which day', () => {
    expect(data.origin.join()).toMatch(/karpenter-provider-aws@v[\d.]+, Apache-2.0.*moto==[\d.]+, Apache-2.0/);
    expect(data.lists.map(({ region, currency }) => `${region} ${currency}`)).toEqual([
      'us-east-1 USD',
      'us-gov-east-1 USD',
      'us-gov-west-1 USD',
      'cn-north-1 CNY',
    ]);
    for (const { date } of data.lists) expect(new Date(date).toISOString()).toContain(date);
  });

  test.each([
    ['us-east-1', 1_300],
    ['us-gov-west-1', 650],
    ['us-gov-east-1', 450],
    ['cn-north-1', 280],
  ])('%s has at least %d types, each with a size and a price', (region, least) => {
    const types = instanceTypes(priceListOf(region));
    expect(types.length).toBeGreaterThanOrEqual(least);
    for (const { name, cpu, memoryMiB, maxPods, arch, onDemand } of types) {
      for (const figure of [cpu, memoryMiB, maxPods, onDemand]) expect([name, figure > 0]).toEqual([name, true]);
      expect(['amd64', 'arm64']).toContain(arch);
    }
  });

  test('is sorted by name, so that an update can be read', () => {
    const names = Object.keys(data.types);
    expect(names).toEqual([...names].sort());
  });

  test('has m5.large as everybody knows it', () => {
    const type = instanceTypes(priceListOf('us-east-1')).find(({ name }) => name === 'm5.large');
    expect(type).toMatchObject({ cpu: 2, memoryMiB: 8192, maxPods: 29, arch: 'amd64', onDemand: 0.096 });
    expect(type?.labels).toMatchObject({
      'karpenter.k8s.aws/instance-category': 'm',
      'karpenter.k8s.aws/instance-generation': '5',
      'karpenter.k8s.aws/instance-hypervisor': 'nitro',
    });
  });
});
