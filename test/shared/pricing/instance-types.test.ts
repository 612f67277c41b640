import { instanceTypes, originText, priceListOf } from '../../../shared/pricing/instance-types';
import data from '../../../shared/pricing/instance-types.json';
import regions from '../../../shared/pricing/regions.json';

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

describe('what regions charge', () => {
  test('says where it is from, under which licence and of which day', () => {
    expect(regions.origin).toMatch(/ec2-instances-info@v[\w.-]+: .*, MIT, Copyright/);
    expect(new Date(regions.date).toISOString()).toContain(regions.date);
  });

  test('a family has a factor of its own only where the usual one is wrong by more than 5 %', () => {
    for (const [region, { factors }] of Object.entries(regions.regions as unknown as Record<string, Region>)) {
      const [[usual] = [0], ...others] = factors;
      for (const [factor] of others)
        expect([region, factor, Math.max(factor / usual, usual / factor) > 1.05]).toEqual([region, factor, true]);
      const families = factors.flatMap(([, names]) => names.split(' '));
      expect([region, new Set(families).size]).toEqual([region, families.length]);
    }
  });

  test.each<[string, Readonly<Record<string, number>>]>([
    ['eu-west-1', { 'm5.large': 0.107, 'c6i.large': 0.0912, 'c7g.large': 0.0775, 'g5.xlarge': 1.123 }],
    ['eu-central-1', { 'm5.large': 0.115, 'c6i.large': 0.097, 'r6g.large': 0.1216 }],
    ['ap-northeast-1', { 'm5.large': 0.124, 'c6i.large': 0.107, 'g5.xlarge': 1.459 }],
    ['ap-northeast-2', { 'm5.large': 0.118, 'c6i.large': 0.096, 'c7g.large': 0.0816, 'g5.xlarge': 1.237 }],
    ['ap-southeast-2', { 'm5.large': 0.12, 'r6g.large': 0.1208, 'g5.xlarge': 1.308 }],
    ['ap-south-1', { 'm5.large': 0.101, 'c6i.large': 0.085, 'c7g.large': 0.0491, 'r6g.large': 0.065 }],
    ['sa-east-1', { 'm5.large': 0.153, 'c6i.large': 0.131, 'c7g.large': 0.1111, 'g5.xlarge': 1.71 }],
    ['us-west-1', { 'm5.large': 0.112, 'c6i.large': 0.106 }],
    ['af-south-1', { 'm5.large': 0.127, 'c6i.large': 0.114, 'r6g.large': 0.1344 }],
    ['mx-central-1', { 'c6i.large': 0.08925, 'c7g.large': 0.0761, 'r6g.large': 0.1058 }],
  ])('prices in %s are within 5 %% of what AWS lists there', (region, prices) => {
    const types = instanceTypes(priceListOf(region));
    for (const [name, price] of Object.entries(prices)) {
      const { onDemand = 0 } = types.find((type) => type.name === name) ?? {};
      expect([name, onDemand, Math.abs(onDemand / price - 1) <= 0.05]).toEqual([name, onDemand, true]);
    }
  });
});

describe('where prices are from is never called list price of spot', () => {
  const US = 'us-east-1 list price, 2026-07-06';
  test.each<[string, string, readonly boolean[], string | undefined, string]>([
    ['on demand', 'us-east-1', [false], undefined, US],
    ['nothing yet', 'us-east-1', [], undefined, US],
    ['spot', 'us-east-1', [true, true], undefined, `spot, estimated at 36 % of list (${US})`],
    ['both', 'us-east-1', [true, false], undefined, `${US}; spot, estimated at 36 % of list`],
    ['simulated spot', 'us-east-1', [true], '35 to 46', `spot, estimated at 35 to 46 % of list (${US})`],
    [
      'spot without an estimate',
      'us-gov-west-1',
      [true],
      undefined,
      'spot, at most list (us-gov-west-1 list price, 2026-06-15)',
    ],
  ])('%s', (_, region, spots, percent, text) => {
    expect(originText(priceListOf(region), spots, percent)).toBe(text);
  });
});

interface Region {
  readonly factors: readonly (readonly [number, string])[];
}
