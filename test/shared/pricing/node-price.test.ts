import fc from 'fast-check';
import type { HeadroomConfig, MatchExpression } from '../../../shared/core/config/config';
import { loadConfig } from '../../../shared/core/config/read/load';
import { instanceTypes, priceListOf } from '../../../shared/pricing/instance-types';
import { nodePrice, typePrice } from '../../../shared/pricing/node-price';

const LIST = priceListOf('us-east-1');
const EXOTIC = /metal|^(g|p|inf|trn|dl|vt)/;
const anyPrice = () => fc.constantFrom(...instanceTypes(LIST));

function poolOf(text: string): HeadroomConfig {
  const loaded = loadConfig([
    {
      file: 'headroom.yaml',
      text: `cluster: {name: c, region: us-east-1}\nnodePools: {default: ${text}}`,
    },
  ]);
  const [pool] = loaded.ok ? loaded.config.headrooms : [];
  if (!pool) throw new Error(JSON.stringify(loaded));
  return pool;
}

const k8s = (name: string, operator: string, ...values: string[]): MatchExpression => ({
  key: `karpenter.k8s.aws/instance-${name}`,
  operator,
  values,
});
const AMD64 = { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] };
const ON_DEMAND = { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] };
const FLOOR = 'unit: {floor: {cpu: 4, memory: 16Gi}}';

describe('the node that a price is for', () => {
  test.each<[string, string, readonly MatchExpression[], string | undefined, number | undefined]>([
    ['a floor gets a node of its size', FLOOR, [AMD64, ON_DEMAND, k8s('family', 'In', 'm5')], 'm5.xlarge', 0.192],
    [
      'room needs more than its request',
      'unit: {node: {cpu: 4}}',
      [AMD64, k8s('family', 'In', 'm5')],
      'm5.2xlarge',
      0.384,
    ],
    [
      'cpu fits beside kubelet and DaemonSets',
      'unit: {node: {cpu: 3770m}}',
      [k8s('family', 'In', 'm5')],
      'm5.xlarge',
      0.192,
    ],
    ['a little more cpu does not', 'unit: {node: {cpu: 3771m}}', [k8s('family', 'In', 'm5')], 'm5.2xlarge', 0.384],
    ['nor does all of the memory', 'unit: {node: {memory: 15Gi}}', [k8s('family', 'In', 'm5')], 'm5.2xlarge', 0.384],
    [
      'Gt and Lt',
      FLOOR,
      [AMD64, k8s('category', 'In', 'm'), k8s('generation', 'Gt', '5'), k8s('cpu', 'Lt', '9')],
      'm6a.xlarge',
      0.1728,
    ],
    [
      'NotIn',
      FLOOR,
      [AMD64, k8s('category', 'In', 'm'), k8s('generation', 'Gt', '5'), k8s('family', 'NotIn', 'm6a')],
      'm7i-flex.xlarge',
      0.19152,
    ],
    ['Arm', FLOOR, [{ ...AMD64, values: ['arm64'] }, k8s('category', 'In', 'm')], 'm6g.xlarge', 0.154],
    [
      'a disk of its own',
      FLOOR,
      [AMD64, k8s('local-nvme', 'Exists'), k8s('category', 'In', 'm')],
      'm5ad.xlarge',
      0.206,
    ],
    [
      'types by name',
      FLOOR,
      [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['r5.xlarge', 'm5.2xlarge'] }],
      'r5.xlarge',
      0.252,
    ],
    [
      'EKS Auto Mode',
      FLOOR,
      [{ ...k8s('family', 'In', 'm5'), key: 'eks.amazonaws.com/instance-family' }],
      'm5.xlarge',
      0.192,
    ],
    ['a floor of GPU nodes', 'unit: {floor: {cpu: 16, gpu: 4}}', [AMD64], 'g4dn.12xlarge', 3.912],
    ['a floor of more GPUs than the list knows', 'unit: {floor: {gpu: 32}}', [AMD64], undefined, undefined],
    ['a GPU', 'unit: {node: {nvidia.com/gpu: 1}}', [AMD64], 'g4dn.xlarge', 0.526],
    [
      'bare metal only if nothing else fits',
      'unit: {node: {cpu: 90}}',
      [k8s('family', 'In', 'm5')],
      'm5.24xlarge',
      4.608,
    ],
    [
      'a label of the team changes nothing',
      FLOOR,
      [k8s('family', 'In', 'm5'), { key: 'team', operator: 'In', values: ['a'] }],
      'm5.xlarge',
      0.192,
    ],
    ['nothing fits', 'unit: {node: {cpu: 64}}', [AMD64, k8s('family', 'In', 't3')], undefined, undefined],
    [
      'Windows has other prices',
      FLOOR,
      [{ key: 'kubernetes.io/os', operator: 'In', values: ['windows'] }],
      undefined,
      undefined,
    ],
    ['a device that the list does not know', 'unit: {node: {amd.com/gpu: 1}}', [AMD64], undefined, undefined],
  ])('%s', (_, unit, requirements, type, perHour) => {
    const price = nodePrice(poolOf(`{max: 8, ${unit}}`), 'us-east-1', [ON_DEMAND, ...requirements]);
    expect([price?.instanceType, price?.perHour.low, price?.perHour.high]).toEqual([type, perHour, perHour]);
  });

  test('slices share nodes', () => {
    const price = nodePrice(poolOf('{max: 90, unit: {slice: {cpu: 1}}}'), 'us-east-1', [
      ON_DEMAND,
      k8s('family', 'In', 'c6a'),
    ]);
    expect([1, 3, 4, 15].map((slices) => price?.hourly(slices).low)).toEqual([0.0765, 0.153, 0.306, 0.612]);
    // 191 fit on the largest.
    expect(price?.hourly(192).low).toBeCloseTo(7.344 + 0.0765, 6);
  });

  test('the price in the config counts over the list', () => {
    const price = nodePrice(poolOf(`{max: 8, price: 0.11, ${FLOOR}}`), 'us-east-1', [k8s('family', 'In', 'm5')]);
    expect(price).toMatchObject({ perHour: { low: 0.11, high: 0.11 } });
    expect(price?.list).toBeUndefined();
  });

  test.each([
    ['eu-west-1', 'us-east-1', 'USD', 0.214],
    ['ap-northeast-2', 'us-east-1', 'USD', 0.236],
    ['us-west-2', 'us-east-1', 'USD', 0.192],
    ['us-gov-west-1', 'us-gov-west-1', 'USD', 0.242],
    ['cn-northwest-1', 'cn-north-1', 'CNY', 2.026],
    ['ap-southeast-6', 'us-east-1', 'USD', 0.192],
  ])('in %s it follows from the list of %s, in %s', (region, listed, currency, perHour) => {
    const price = nodePrice(poolOf(`{max: 8, ${FLOOR}}`), region, [ON_DEMAND, k8s('family', 'In', 'm5')]);
    expect(price?.list).toMatchObject({ region, listed });
    expect(price?.perHour.currency).toBe(currency);
    // As wrong as a factor for several families may be.
    expect(Math.abs((price?.perHour.low ?? 0) / perHour - 1)).toBeLessThan(0.05);
  });

  test.each([
    ['that the region does not have is not chosen', ['a1'], undefined],
    ['that is younger than the comparison of regions is priced by the usual factor', ['m9g'], 'm9g.xlarge'],
    ['that is younger is passed over while another one fits', ['m8i-flex', 'm7i'], 'm7i.xlarge'],
  ])('a family %s', (_, families, type) => {
    const required = [ON_DEMAND, k8s('family', 'In', ...families)];
    const price = nodePrice(poolOf(`{max: 8, ${FLOOR}}`), 'ap-northeast-2', required);
    expect(price?.instanceType).toBe(type);
  });

  test.each([
    ['spot', 'us-east-1', ['spot'], 36],
    ['spot if there is some', 'us-east-1', ['spot', 'on-demand'], 36],
    ['spot elsewhere', 'eu-central-1', ['spot'], 37],
    ['on demand', 'us-east-1', ['on-demand'], undefined],
  ])('%s in %s is estimated at a share of list price', (_, region, values, percent = 100) => {
    const priced = (capacity: string[]) =>
      nodePrice(poolOf(`{max: 8, ${FLOOR}}`), region, [{ ...ON_DEMAND, values: capacity }])?.perHour;
    const list = priced(['on-demand'])?.low ?? Number.NaN;
    expect(priced(values)).toMatchObject({
      low: expect.closeTo((list * percent) / 100, 9),
      high: expect.closeTo((list * percent) / 100, 9),
      ...(percent < 100 && { spotPercent: percent }),
    });
  });

  test('a node of a type costs its list price, or as spot the share of it', () => {
    expect(typePrice('m5.xlarge', 'us-east-1', false)).toBe(0.192);
    expect(typePrice('m5.xlarge', 'us-east-1', true)).toBeCloseTo(0.36 * 0.192, 9);
    expect(typePrice('z9.xlarge', 'us-east-1', true)).toBeUndefined();
  });

  test('spot costs at most the list price where no estimate is known', () => {
    const price = nodePrice(poolOf(`{max: 8, ${FLOOR}}`), 'us-gov-west-1', [{ ...ON_DEMAND, values: ['spot'] }]);
    expect(price?.perHour).toMatchObject({ atMost: true });
  });

  test('a spot twin makes a range from spot to on demand', () => {
    const pool = poolOf(`{max: 8, ${FLOOR}, pool: {family: [m5], role: r, spotTwin: true}}`);
    const { low, high } = nodePrice(pool, 'us-east-1')?.perHour ?? { low: 0, high: 0 };
    expect([low, high]).toEqual([expect.closeTo(0.36 * 0.192, 9), 0.192]);
  });

  test('a NodePool that is not known has a range over the usual amd64 families', () => {
    const pool = poolOf(`{max: 8, ${FLOOR}}`);
    const { perHour, instanceType } = nodePrice(pool, 'us-east-1') ?? { perHour: { low: 9, high: 0 } };
    expect(instanceType).toBeUndefined();
    for (const family of ['m5', 'c6i', 'r7a', 'm8i', 'c7i-flex']) {
      const { low = 0 } = nodePrice(pool, 'us-east-1', [ON_DEMAND, k8s('family', 'In', family)])?.perHour ?? {};
      expect([perHour.low <= low, low <= perHour.high]).toEqual([true, true]);
    }
  });

  test('its own selector narrows the range', () => {
    const rangeOf = (text: string) => nodePrice(poolOf(`{max: 8, ${FLOOR}${text}}`), 'us-east-1')?.perHour;
    const arm = rangeOf(', nodeSelector: {karpenter.sh/nodepool: default, kubernetes.io/arch: arm64}');
    const memory = rangeOf(', nodeAffinity: [{key: karpenter.k8s.aws/instance-category, operator: In, values: [r]}]');
    expect(arm?.low).toBeLessThan(rangeOf('')?.low ?? 0);
    expect(memory?.low).toBeGreaterThan(rangeOf('')?.low ?? 0);
  });

  test('a requirement on a label that the list lacks makes no range', () => {
    const known = [ON_DEMAND, AMD64, k8s('category', 'In', 'c', 'm', 'r'), k8s('generation', 'Gt', '4')];
    const pool = poolOf(`{max: 8, ${FLOOR}}`);
    const price = nodePrice(pool, 'us-east-1', [...known, k8s('ebs-bandwidth', 'Gt', '3000')]);
    expect(price?.perHour).toEqual(nodePrice(pool, 'us-east-1', known)?.perHour);
  });
});

test('more requirements never make it cheaper, and the node meets them', () => {
  const requirement = anyPrice().chain((type) =>
    fc.constantFrom(
      ...Object.entries(type.labels).flatMap(([key, value]): MatchExpression[] => [
        { key, operator: 'In', values: [value] },
        { key, operator: 'NotIn', values: [value] },
        ...(/^\d+$/.test(value)
          ? [
              { key, operator: 'Gt', values: [value] },
              { key, operator: 'Lt', values: [value] },
            ]
          : []),
      ]),
    ),
  );
  const units = ['floor: {cpu: 2}', 'node: {cpu: 3, memory: 6Gi}', 'node: {cpu: 500m}', 'slice: {cpu: 1, memory: 2Gi}'];
  const pools = units.map((unit) => poolOf(`{max: 8, unit: {${unit}}}`));
  fc.assert(
    fc.property(fc.constantFrom(...pools), fc.array(requirement, { maxLength: 3 }), requirement, (pool, some, more) => {
      const [wide, narrow] = [some, [...some, more]].map((all) => nodePrice(pool, 'us-east-1', all));
      // Karpenter passes over bare metal and accelerators while there is something else, however cheap they are.
      if (!narrow?.instanceType || EXOTIC.test(narrow.instanceType)) return;
      expect(wide?.perHour.low ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(narrow.perHour.low);
      expect(narrow.hourly(3).low).toBeGreaterThanOrEqual(narrow.perHour.low - 1e-9);
    }),
  );
});
