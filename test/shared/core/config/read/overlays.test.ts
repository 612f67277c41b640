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
  test.each([
    {
      name: 'a NodePool',
      overlay: 'nodePools:\n  ci:\n',
      path: '2:3: nodePools.ci',
      fix: 'leave it out, or write remove: true to remove it',
    },
    { name: 'all NodePools', overlay: 'nodePools:\n', path: '1:1: nodePools', fix: 'leave it out' },
    { name: 'the cluster', overlay: 'cluster: ~\n', path: '1:1: cluster', fix: 'leave it out' },
    {
      name: 'a number',
      overlay: 'nodePools: {web: {base: null}}\n',
      path: '1:19: nodePools.web.base',
      fix: 'leave it out',
    },
    {
      name: 'a list',
      overlay: 'nodePools:\n  web:\n    schedules:\n',
      path: '3:5: nodePools.web.schedules',
      fix: 'leave it out',
    },
    {
      name: 'a key of a window',
      overlay: 'nodePools: {web: {schedules: [{name: lunch, desiredReplicas: }]}}',
      path: '1:45: nodePools.web.schedules[0].desiredReplicas',
      fix: 'leave it out',
    },
    {
      name: 'a NodePool that no other file has',
      overlay: 'nodePools:\n  new:\n',
      path: '2:3: nodePools.new',
      fix: 'leave it out, or write remove: true to remove it',
    },
  ])('$name', ({ overlay, path, fix }) => {
    const { config, warnings } = load(BASE, overlay);
    expect(config).toEqual(before);
    expect(about(warnings)).toEqual([`headroom.staging.yaml:${path} is empty, which changes nothing; ${fix}`]);
  });

  test('and so does an empty overlay', () => {
    expect(load(BASE, '# nothing yet\n').config).toEqual(before);
  });
});

describe('[] and {} are values', () => {
  test.each([
    { name: 'no windows', overlay: 'nodePools: {web: {schedules: []}}', becomes: { windows: [] } },
    { name: 'no alarms', overlay: 'nodePools: {web: {alarms: []}}', becomes: { alarms: [] } },
    { name: 'no node selector', overlay: 'nodePools: {web: {nodeSelector: {}}}', becomes: { nodeSelector: {} } },
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
    {
      name: 'takes a NodePool out',
      overlay: 'nodePools:\n  ci: {remove: true}\n',
      left: [['web', ['lunch'], ['p95', 'cpu']]],
      says: '2:3: nodePools.ci is removed (remove: true); the next deploy deletes its headroom',
    },
    {
      name: 'takes a schedule out',
      overlay: 'nodePools: {web: {schedules: [{name: lunch, remove: true}]}}',
      left: [
        ['web', [], ['p95', 'cpu']],
        ['ci', [], []],
      ],
      says: '1:31: nodePools.web.schedules[0] removes "lunch" (remove: true)',
    },
    {
      name: 'takes an alarm out by its alarmName',
      overlay: 'nodePools: {web: {alarms: [{alarmName: p95, remove: true}]}}',
      left: [
        ['web', ['lunch'], ['cpu']],
        ['ci', [], []],
      ],
      says: '1:28: nodePools.web.alarms[0] removes "p95" (remove: true)',
    },
    {
      name: 'takes an alarm out by its name',
      overlay: 'nodePools: {web: {alarms: [{name: cpu, remove: true}]}}',
      left: [
        ['web', ['lunch'], ['p95']],
        ['ci', [], []],
      ],
      says: '1:28: nodePools.web.alarms[0] removes "cpu" (remove: true)',
    },
  ])('$name, and says so', ({ overlay, left, says }) => {
    const { config, warnings } = load(BASE, overlay);
    expect(
      config.headrooms.map(({ name, windows, alarms }) => [
        name,
        windows.map((w) => w.name),
        alarms.map((a) => a.name),
      ]),
    ).toEqual(left);
    expect(about(warnings)).toEqual([`headroom.staging.yaml:${says}`]);
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
    expect(config.headrooms[0]?.nodeSelector).toEqual({ team: 'a', remove: 'true' });
  });

  test.each([
    {
      name: 'a NodePool that is not there',
      overlay: 'nodePools:\n  cicd: {remove: true}\n',
      says: 'headroom.staging.yaml:2:9: nodePools.cicd has remove: true, but there is nothing of that name to take out; leave it out',
    },
    {
      name: 'a schedule that is not there',
      overlay: 'nodePools: {web: {schedules: [{name: dinner, remove: true}]}}',
      says: 'headroom.staging.yaml:1:31: nodePools.web.schedules[1] has remove: true, but there is nothing of that name to take out; leave it out',
    },
    {
      name: 'a NodePool and other keys of it',
      overlay: 'nodePools:\n  ci: {remove: true, max: 3, base: 1}\n',
      says: 'headroom.staging.yaml:2:3: nodePools.ci.remove does not go with max, base; write remove: true alone',
    },
    {
      name: 'by another word than true',
      overlay: 'nodePools:\n  ci: {remove: yes}\n',
      says: 'headroom.staging.yaml:2:8: nodePools.ci.remove is "yes"; write true, or leave it out',
    },
  ])('is refused for $name', ({ overlay, says }) => {
    expect(problemsIn(BASE, overlay)).toEqual([says]);
  });

  test('is refused in the first file, which has nothing to take out', () => {
    expect(problemsIn(`${CLUSTER}nodePools: {web: {max: 1}, ci: {remove: true}}`)).toEqual([
      'headroom.yaml:2:32: nodePools.ci has remove: true, but there is nothing of that name to take out; leave it out',
    ]);
  });
});
