import { loadConfig } from '../../../../../shared/core/config/read/load';
import { golden } from '../../../../golden/golden';
import { CLUSTER, load, problemsIn } from '../config-text';

const said = golden(`${__dirname}/hostile-config.txt`);
const MEGABYTE = 1_048_576;

const configOf = (text: string) => load(text).config;

const filled = (part: string, size = MEGABYTE - 100) => part.repeat(Math.floor(size / part.length));

/** `a0` has ten values, `a1` ten times `a0`, and so on. */
const bomb = (levels: number) =>
  Array.from({ length: levels }, (_, level) => {
    const item = level === 0 ? 'x' : `*a${level - 1}`;
    return `a${level}: &a${level} [${Array.from({ length: 10 }, () => item).join(', ')}]`;
  }).join('\n');

describe('one sentence, with its place, for a file that nobody means', () => {
  test.each([
    {
      name: 'an alias bomb',
      text: bomb(9),
    },
    {
      name: 'a small alias bomb of maps',
      text: Array.from(
        { length: 30 },
        (_, i) => `a${i}: &a${i} {x: ${i ? `*a${i - 1}` : 1}, y: ${i ? `*a${i - 1}` : 1}}`,
      ).join('\n'),
    },
    {
      name: 'an anchor that contains itself',
      text: `${CLUSTER}nodePools: &pools\n  web: *pools\n`,
    },
    {
      name: 'a quarter of a million documents',
      text: filled('---\n', 900_000),
    },
    {
      name: 'a file of more than 1 MB',
      text: `${CLUSTER}# ${filled('x', MEGABYTE)}`,
    },
    {
      name: 'far more than 1 MB',
      text: filled('[', 40 * MEGABYTE),
    },
    {
      name: 'a deep list',
      text: filled('['),
    },
    {
      name: 'a deep map',
      text: filled('{a: '),
    },
    {
      name: 'a deep list of lines',
      text: filled('- '),
    },
    {
      name: 'anchors that nest deeper and deeper',
      text: Array.from({ length: 500 }, (_, i) => `a${i}: &a${i} [${i ? `*a${i - 1}` : 1}]`).join('\n'),
    },
    {
      name: 'more words and signs than any config has',
      text: filled('a: 1\n'),
    },
    {
      name: 'more lines than any config has',
      text: `a: "${filled('x\n')}"`,
    },
    {
      name: 'a list as a key',
      text: `${CLUSTER}nodePools:\n  ? [a, b]\n  : {max: 1}\n`,
    },
    {
      name: 'the one key that JavaScript keeps for itself',
      text: `${CLUSTER}nodePools:\n  __proto__: {max: 1}\n`,
    },
  ])('$name', ({ name, text }) => {
    const problems = problemsIn(text);
    expect(problems).toHaveLength(1);
    said(name, problems.join());
  });

  test('syntax errors without end are cut short', () => {
    const problems = problemsIn(`${CLUSTER}nodePools: ${'{}'.repeat(20_000)}`);
    expect(problems.length).toBeLessThanOrEqual(21);
    expect(problems.at(-1)).toMatch(/and \d+ more problems like these/);
  });
});

describe('names that JavaScript objects already have', () => {
  test('a NodePool named constructor is a NodePool', () => {
    const { headrooms } = configOf(`${CLUSTER}nodePools: {constructor: {max: 3}}`);
    expect(headrooms).toMatchObject([
      { name: 'constructor', max: 3, nodeSelector: { 'karpenter.sh/nodepool': 'constructor' } },
    ]);
  });

  test.each(['toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'])(
    'a NodePool named %s is refused, as Kubernetes does',
    (name) => {
      expect(problemsIn(`${CLUSTER}nodePools: {${name}: {max: 3}}`)).toEqual([
        `headroom.yaml:2:13: nodePools.${name} is not a valid name; write the NodePool name in lower case, as in the cluster`,
      ]);
    },
  );

  const names = ['constructor', 'toString', 'hasOwnProperty', '__proto__', 'valueOf'];
  test.each(names)('a schedule and an alarm named %s work, also through defaults and overlays', (name) => {
    const schedule = `{name: ${name}, timezone: UTC, start: 0 8 * * *, end: 0 9 * * *, desiredReplicas: 1}`;
    const text = `${CLUSTER}defaults: {max: 9, schedules: [${schedule}], alarms: [{alarmName: ${name}, add: 1}]}\nnodePools: {web: {schedules: [{name: ${name}, desiredReplicas: 2}]}}`;
    const loaded = loadConfig([
      { file: 'headroom.yaml', text },
      { file: 'headroom.staging.yaml', text: `nodePools: {web: {alarms: [{alarmName: ${name}, add: 2}]}}` },
    ]);
    expect(loaded.ok && loaded.config.headrooms[0]).toMatchObject({
      windows: [{ name, replicas: 2 }],
      alarms: [{ name, alarmName: name, add: 2 }],
    });
  });

  test.each(['constructor', 'toString', 'hasOwnProperty'])(
    'a key named %s is a key that Headstart does not know',
    (name) => {
      const at = (path: string) => `${path}${name} is not a key that Headstart knows; write one of `;
      expect(problemsIn(`${CLUSTER}${name}: 1\nnodePools: {web: {max: 1, ${name}: {}}}`)).toEqual([
        expect.stringContaining(at('headroom.yaml:2:1: ')),
        expect.stringContaining(at('headroom.yaml:3:27: nodePools.web.')),
      ]);
    },
  );

  test.each(['constructor', 'toString'])('labels, dimensions and requests named %s stay what they are', (name) => {
    const { headrooms } = configOf(
      `${CLUSTER}nodePools: {web: {max: 1, nodeSelector: {${name}: a}, unit: {node: {x/${name}: 1}}, alarms: [{name: p95, metric: {namespace: A, name: B, dimensions: {${name}: b}}, threshold: "> 1", add: 1}], pool: {role: r, requirements: [{key: ${name}, operator: Exists}]}}}`,
    );
    expect(headrooms).toMatchObject([
      {
        nodeSelector: { [name]: 'a' },
        alarms: [{ create: { dimensions: { [name]: 'b' } } }],
        unit: { requests: { [`x/${name}`]: '1' } },
      },
    ]);
  });
});

describe('anchors', () => {
  test('a list of merge keys lends the keys of each, the first one first', () => {
    const { headrooms } = configOf(
      `${CLUSTER}nodePools:\n  a: &a {max: 3, base: 1}\n  b: &b {max: 4, leadTime: 5m}\n  c: {<<: [*a, *b], base: 2}\n  d: {base: 0, <<: [*b, *a]}\n`,
    );
    expect(headrooms.map(({ max, base, leadMinutes }) => [max, base, leadMinutes])).toEqual([
      [3, 1, 6],
      [4, 0, 5],
      [3, 2, 5],
      [4, 0, 5],
    ]);
  });

  test('an anchor that is written twice means its newest value', () => {
    const { headrooms } = configOf(`${CLUSTER}nodePools:\n  a: &x {max: 3}\n  b: *x\n  c: &x {max: 4}\n  d: *x\n`);
    expect(headrooms.map(({ max }) => max)).toEqual([3, 3, 4, 4]);
  });

  test('a merge key of something that is not a map is an unknown key', () => {
    expect(problemsIn(`${CLUSTER}nodePools:\n  a: {max: 3, <<: [1]}\n`)).toEqual([
      expect.stringContaining('headroom.yaml:3:15: nodePools.a["<<"] is not a key that Headstart knows'),
    ]);
  });
});

describe('bounds', () => {
  const pool = (line: string) => `${CLUSTER}nodePools:\n  web: {max: 9, ${line}}`;
  const window = 'timezone: UTC, start: 0 8 * * *, end: 0 9 * * *, desiredReplicas: 1';
  test.each([
    {
      name: 'an endless hold',
      line: `alarms: [{alarmName: a, add: 1, hold: ${'9'.repeat(400)}d}]`,
      says: 'write at most 7d',
    },
    {
      name: 'more excluded dates than a year has',
      line: `schedules: [{${window}, excludeDates: [${Array.from({ length: 401 }, (_, i) => new Date(Date.UTC(2026, 0, 1) + i * 86_400_000).toISOString().slice(0, 10)).join(', ')}]}]`,
      says: 'write at most 400 dates',
    },
    {
      name: 'a thousand and one windows',
      line: `schedules: [${Array.from({ length: 1_001 }, (_, i) => `{name: w${i}, ${window}}`).join(', ')}]`,
      says: 'nodePools has 1001 schedules in all; write at most 1000',
    },
  ])('refuses $name', ({ line, says }) => {
    expect(problemsIn(pool(line)).join('\n')).toContain(says);
  });

  test('refuses a slower heartbeat than a day', () => {
    expect(problemsIn(`${CLUSTER}heartbeat: 25h\nnodePools: {web: {max: 1}}`)).toEqual([
      'headroom.yaml:2:1: heartbeat is "25h"; write at most 1d',
    ]);
  });

  test('refuses more NodePools than a cluster can have', () => {
    const pools = Array.from({ length: 201 }, (_, i) => `p${i}: {max: 1}`).join(', ');
    expect(problemsIn(`${CLUSTER}nodePools: {${pools}}`)).toEqual([
      'headroom.yaml:2:1: nodePools has 201 headrooms; write at most 200',
    ]);
  });
});
