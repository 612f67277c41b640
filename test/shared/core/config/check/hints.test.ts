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
