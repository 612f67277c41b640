import { formatProblem } from '../../../../../shared/core/config/yaml/problem';
import { load, pool } from '../config-text';

const ROOM = 'unit: {node: {cpu: 1}}';
const windows = (...sizes: readonly string[]) => [
  'schedules:',
  ...sizes.map((size, i) => `- {name: w${i}, timezone: UTC, start: 0 ${i} * * *, end: 30 ${i} * * *, ${size}}`),
];
const hintsIn = (...lines: string[]) => load(pool('max: 20', 'leadTime: 5m', ...lines)).hints.map(formatProblem);

test.each([
  {
    name: 'one window over nothing',
    lines: [ROOM, ...windows('desiredReplicas: 6')],
    says: ['schedules[0].desiredReplicas asks for 6 more nodes at once'],
  },
  {
    name: 'a window over base',
    lines: [ROOM, 'base: 4', ...windows('desiredReplicas: 6')],
    says: ['schedules[0].desiredReplicas asks for 2 more nodes at once'],
  },
  {
    name: 'the highest of several steps',
    lines: [ROOM, ...windows('desiredReplicas: 2', 'desiredReplicas: 9', 'desiredReplicas: 3')],
    says: ['schedules[1].desiredReplicas asks for 6 more nodes at once'],
  },
  {
    name: 'two windows of one size, once',
    lines: [ROOM, ...windows('desiredReplicas: 6', 'desiredReplicas: 6')],
    says: ['schedules[0].desiredReplicas asks for 6 more nodes at once'],
  },
  { name: 'the default unit', lines: windows('desiredReplicas: 2'), says: ['asks for 2 more nodes at once'] },
  { name: 'not one node more', lines: [ROOM, 'base: 5', ...windows('desiredReplicas: 6')], says: [] },
  {
    name: 'not a staircase of single nodes',
    lines: [ROOM, ...windows('desiredReplicas: 1', 'desiredReplicas: 2', 'desiredReplicas: 3')],
    says: [],
  },
  { name: 'not a window at or below base', lines: [ROOM, 'base: 6', ...windows('desiredReplicas: 3')], says: [] },
  { name: 'not slices', lines: ['unit: {slice: {cpu: 1}}', ...windows('desiredReplicas: 9')], says: [] },
  {
    name: 'not floors',
    lines: ['unit: {floor: {cpu: 4}}', ...windows('desiredReplicas: 9', 'addNodes: 6')],
    says: [],
  },
  { name: 'not room without windows', lines: [ROOM, 'base: 9'], says: [] },
])('hints at a step that is paid twice: $name', ({ lines, says }) => {
  expect(hintsIn(...lines)).toEqual(says.map((text) => expect.stringContaining(text)));
});

test('says what to write, where, and where to read on', () => {
  expect(hintsIn(ROOM, ...windows('desiredReplicas: 6'))).toEqual([
    'headroom.yaml:8:68: nodePools.web.schedules[0].desiredReplicas asks for 6 more nodes at once: room that work takes is refilled, so a step is paid twice; for a step write unit: {floor: {cpu, memory}} and addNodes: 6, for a ramp leave it as it is; see docs/choosing.md',
  ]);
});

describe('hints at small slices, which may leave the last pods of a burst Pending', () => {
  const hintsOf = (slice: string, max: number, kind = 'slice') =>
    load(pool(`max: ${max}`, 'leadTime: 5m', `unit: {${kind}: ${slice}}`)).hints.map(formatProblem);

  test.each([
    { name: 'below 1 vCPU with max above 20', slice: '{cpu: 500m}', max: 21, hints: 1 },
    { name: 'as a fraction', slice: '{cpu: 0.25, memory: 512Mi}', max: 60, hints: 1 },
    { name: 'not with max 20', slice: '{cpu: 500m}', max: 20, hints: 0 },
    { name: 'not at 1 vCPU', slice: '{cpu: 1}', max: 60, hints: 0 },
    { name: 'not at 1000m', slice: '{cpu: 1000m}', max: 60, hints: 0 },
    { name: 'not without cpu', slice: '{memory: 512Mi}', max: 60, hints: 0 },
    { name: 'not for node units', slice: '{cpu: 500m}', max: 60, hints: 0, kind: 'node' },
    { name: 'not for floors', slice: '{cpu: 4}', max: 60, hints: 0, kind: 'floor' },
  ])('$name', ({ slice, max, hints, kind }) => {
    expect(hintsOf(slice, max, kind)).toHaveLength(hints);
  });

  test('names a slice of four with a quarter of max, rounded up', () => {
    expect(hintsOf('{cpu: 250m}', 61)).toEqual([
      'headroom.yaml:6:20: nodePools.web.unit.slice.cpu is 250m with max 61: from Kubernetes 1.32 on, asynchronous preemption may leave the last pods of a burst on such small pause pods Pending for minutes (kubernetes/kubernetes#141694); make a slice as large as several pods and divide the sizes, such as cpu: 1 and max: 16 for four; see docs/choosing.md',
    ]);
  });

  test('next to a hint about another NodePool, each at its own', () => {
    const text = pool('max: 60', 'leadTime: 5m', 'unit: {slice: {cpu: 500m}}');
    const { hints } = load(`${text}\n  other: {max: 30, unit: {slice: {cpu: 100m}}}\n`);
    expect(hints.map(formatProblem)).toEqual([
      expect.stringContaining('nodePools.web.unit.slice.cpu is 500m with max 60'),
      expect.stringContaining('nodePools.other.unit.slice.cpu is 100m with max 30'),
    ]);
  });
});
