import { DEFAULTS } from '../../../../../shared/core/config/schema/defaults';
import { formatProblem, type Problem } from '../../../../../shared/core/config/yaml/problem';
import { CLUSTER, load, pool, problemsIn } from '../config-text';

const LUNCH = '{name: lunch, timezone: UTC, start: 0 11 * * *, end: 0 13 * * *, desiredReplicas: 6}';
const TEA = '{name: tea, timezone: UTC, start: 0 15 * * *, end: 0 16 * * *, desiredReplicas: 2}';

const BASE = `${pool('max: 8', 'base: 2', 'nodeSelector: {team: a}', `schedules: [${LUNCH}]`, 'alarms: [{alarmName: p95, add: 1}, {name: cpu, metric: {namespace: A, name: B}, threshold: "> 1", add: 2}]')}  ci: {max: 4, base: 1}\n`;

/** Warnings about the overlay itself. */
const about = (warnings: readonly Problem[]) =>
  warnings.map(formatProblem).filter((text) => text.startsWith('headroom.staging.yaml'));

describe('an overlay', () => {
  test('changes by key and by name', () => {
    const { config } = load(
      BASE,
      `cluster: {name: staging}\nnodePools:\n  web:\n    base: 3\n    schedules: [{name: lunch, desiredReplicas: 1}, ${TEA}]\n    alarms: [{alarmName: p95, hold: 1m}]\n`,
    );
    expect(config.cluster).toMatchObject({ name: 'staging', region: 'ap-northeast-2' });
    expect(config.headrooms).toMatchObject([
      { name: 'web', base: 3, max: 8, alarms: [{ alarmName: 'p95', add: 1, holdSeconds: 60 }, { name: 'cpu' }] },
      { name: 'ci', base: 1, max: 4 },
    ]);
    expect(config.headrooms[0]?.windows.map(({ name, replicas }) => [name, replicas])).toEqual([
      ['lunch', 1],
      ['tea', 2],
    ]);
  });

  test('replaces selectors, although they have names', () => {
    const { config } = load(
      pool('max: 8', 'pool: {role: nodes, amiFamily: AL2023, amiSelector: [{name: "old-*"}]}'),
      'nodePools: {web: {pool: {amiSelector: [{name: "new-*"}]}}}\n',
    );
    expect(JSON.stringify(config)).toContain('new-*');
    expect(JSON.stringify(config)).not.toContain('old-*');
  });

  test('with a mistake is named as its place', () => {
    expect(problemsIn(BASE, 'nodePools:\n  web:\n    max: many\n')).toEqual([
      'headroom.staging.yaml:3:5: nodePools.web.max is "many"; write a whole number from 0 to 5000',
    ]);
  });
});

describe('an empty key of an overlay changes nothing', () => {
  const before = load(BASE).config;
  // What is said is in said.txt.
  test.each([
    'nodePools:\n  ci:\n',
    'nodePools:\n',
    'cluster: ~\n',
    'nodePools: {web: {base: null}}\n',
    'nodePools:\n  web:\n    schedules:\n',
    'nodePools: {web: {schedules: [{name: lunch, desiredReplicas: }]}}',
    'nodePools:\n  new:\n',
  ])('%j', (overlay) => {
    const { config, warnings } = load(BASE, overlay);
    expect(config).toEqual(before);
    expect(about(warnings)).toEqual([expect.stringContaining('is empty, which changes nothing; leave it out')]);
  });

  test('and so does an empty overlay', () => {
    expect(load(BASE, '# nothing yet\n').config).toEqual(before);
  });
});

describe('[] and {} are values', () => {
  test.each([
    { name: 'no windows', overlay: 'nodePools: {web: {schedules: []}}', becomes: { windows: [] } },
    { name: 'no alarms', overlay: 'nodePools: {web: {alarms: []}}', becomes: { alarms: [] } },
    {
      name: 'no labels but the NodePool',
      overlay: 'nodePools: {web: {nodeSelector: {}}}',
      becomes: { nodeSelector: { 'karpenter.sh/nodepool': 'web' } },
    },
    {
      name: 'interruptions as they are by default',
      overlay: 'nodePools: {web: {interruptions: {}}}',
      becomes: {
        interruptions: { surge: 1, max: 5, holdSeconds: 600, on: [...DEFAULTS.interruptions.on] },
      },
    },
  ])('$name', ({ overlay, becomes }) => {
    const { config, warnings } = load(BASE, overlay);
    for (const [key, value] of Object.entries(becomes))
      expect(config.headrooms[0]?.[key as keyof typeof becomes]).toEqual(value);
    expect(about(warnings)).toEqual([]);
  });

  test('a NodePool of {} drops what was said about it, loudly', () => {
    const { config, warnings } = load(`${BASE}defaults: {max: 2}\n`, 'nodePools: {ci: {}}');
    expect(config.headrooms[1]).toMatchObject({ name: 'ci', base: 0, max: 2 });
    expect(about(warnings)).toEqual([
      'headroom.staging.yaml:1:13: nodePools.ci is {}, which drops all that headroom.yaml:9 says about it',
    ]);
  });
});

describe('remove: true', () => {
  test.each([
    { name: 'a NodePool', overlay: '{ci: {remove: true}}', left: [['web', ['lunch'], ['p95', 'cpu']]] },
    {
      name: 'a schedule, and alarms by either name',
      overlay:
        '{web: {schedules: [{name: lunch, remove: true}], alarms: [{alarmName: p95, remove: true}, {name: cpu, remove: true}]}}',
      left: [
        ['web', [], []],
        ['ci', [], []],
      ],
    },
  ])('takes $name out', ({ overlay, left }) => {
    const { headrooms } = load(BASE, `nodePools: ${overlay}`).config;
    const named = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);
    expect(headrooms.map(({ name, windows, alarms }) => [name, named(windows), named(alarms)])).toEqual(left);
  });

  test('takes a schedule of the defaults out of one NodePool', () => {
    const { config } = load(
      `${CLUSTER}defaults: {max: 9, leadTime: 5m, schedules: [${LUNCH}, ${TEA}]}\nnodePools: {web: {schedules: [{name: tea, remove: true}]}, ci: {}}`,
    );
    expect(config.headrooms.map(({ windows }) => windows.map(({ name }) => name))).toEqual([
      ['lunch'],
      ['lunch', 'tea'],
    ]);
  });

  test('a schedule that was taken out can be written anew', () => {
    const again = '{name: lunch, timezone: UTC, from: 2026-11-27T08:00, to: 2026-11-27T09:00, desiredReplicas: 3}';
    const { config } = load(BASE, `nodePools: {web: {schedules: [{name: lunch, remove: true}, ${again}]}}`);
    expect(config.headrooms[0]?.windows).toMatchObject([{ kind: 'once', replicas: 3 }]);
  });

  test('takes any other key out, also one of the defaults, without a word', () => {
    const base = `cluster: {name: demo, region: eu-west-1, vpc: {subnetIds: [subnet-1]}}
defaults: {max: 9, interruptions: {max: 3}, image: pause, pool: {role: r, ami: al2023@latest}}
nodePools: {web: {pool: {ami: {remove: true}, amiFamily: AL2023, amiSelector: [{id: ami-1}]}}}`;
    const { config, warnings } = load(
      base,
      'cluster: {vpc: {remove: true}}\nnodePools: {web: {interruptions: {remove: true}, image: {remove: true}}}\n',
    );
    expect(config.cluster.vpc).toBeUndefined();
    expect(config.headrooms[0]?.interruptions).toBeUndefined();
    expect(config.headrooms[0]?.pool?.ami).toBeUndefined();
    expect(config.headrooms[0]?.image).toBe(DEFAULTS.image);
    expect(warnings).toEqual([]);
  });

  test('a label named remove is a label', () => {
    const { config } = load(BASE, 'nodePools: {web: {nodeSelector: {remove: "true"}}}');
    expect(config.headrooms[0]?.nodeSelector).toEqual({ team: 'a', remove: 'true', 'karpenter.sh/nodepool': 'web' });
  });
});
