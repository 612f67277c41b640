import { load } from '../config-text';

/** What is warned about, without the place. */
function warningsIn(config: object): string[] {
  return load(JSON.stringify(config)).warnings.map(({ message }) => message);
}

describe('rules per event bus', () => {
  /** Two NodePools with twelve events, each with a cancellation, are 48 rules. */
  const events = (pools: number, bus?: string) =>
    Object.fromEntries(
      Array.from({ length: pools }, (_, pool) => [
        `pool-${pool}`,
        {
          max: 9,
          events: Array.from({ length: 12 }, (_, index) => ({
            name: `e${index}`,
            ...(bus !== undefined && { bus }),
            pattern: { source: ['shop'] },
            cancel: { source: ['shop'] },
            hold: '1h',
            desiredReplicas: 1,
          })),
        },
      ]),
    );
  const most = (region: string, nodePools: object, more: object = {}) =>
    warningsIn({ cluster: { name: 'a', region }, nodePools, ...more });
  const fix = 'ask AWS for a higher quota before the deploy, or use fewer events and alarms';

  test.each([
    { region: 'eu-west-1', pools: 10, rules: 240, quota: undefined },
    { region: 'eu-west-1', pools: 11, rules: 264, quota: 300 },
    { region: 'af-south-1', pools: 3, rules: 72, quota: undefined },
    { region: 'af-south-1', pools: 4, rules: 96, quota: 100 },
    { region: 'eu-south-1', pools: 4, rules: 96, quota: 100 },
  ])('$rules in $region', ({ region, pools, rules, quota }) => {
    expect(most(region, events(pools))).toEqual(
      quota === undefined
        ? []
        : [
            `need ${rules} rules on the event bus default, and EventBridge allows ${quota} there for everyone by default; ${fix}`,
          ],
    );
  });

  test('are counted for each bus, and those of alarms, interruptions and Karpenter on the default bus', () => {
    const mixed = {
      ...events(6),
      other: { max: 9, events: [] },
      ...Object.fromEntries(Object.entries(events(5, 'shop')).map(([name, one]) => [`${name}-b`, one])),
    };
    expect(most('eu-west-1', mixed)).toEqual([]);
    const alarms = Array.from({ length: 16 }, (_, index) => ({ alarmName: `${'x'.repeat(240)}${index}`, add: 1 }));
    const all = { ...events(3), boosted: { max: 200, alarms, interruptions: { on: ['spot', 'health'] } } };
    expect(most('af-south-1', all)).toEqual([]);
    expect(most('af-south-1', all, { karpenter: { manage: true, version: '1.14.1' } })).toEqual([
      `need 82 rules on the event bus default, and EventBridge allows 100 there for everyone by default; ${fix}`,
    ]);
  });
});

describe('the default image in China, where nodes do not reach registry.k8s.io', () => {
  const images = (region: string, image?: string) =>
    warningsIn({
      cluster: { name: 'a', region },
      nodePools: { web: { max: 1 }, ci: { max: 1, ...(image && { image }) } },
    });

  test('is a warning that names its NodePools', () => {
    expect(images('cn-north-1', '123456789012.dkr.ecr.cn-north-1.amazonaws.com.cn/pause:3.10')).toEqual([
      'is cn-north-1, where nodes may not reach registry.k8s.io, and the default image registry.k8s.io/pause:3.10 is used by web; copy it to a registry that they reach and write defaults: {image: …}',
    ]);
    expect(images('cn-northwest-1')).toEqual([expect.stringContaining('is used by web, ci;')]);
  });

  test('is none elsewhere', () => {
    expect(images('ap-northeast-1')).toEqual([]);
  });
});
