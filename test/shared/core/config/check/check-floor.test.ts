import { load, pool, problemsIn } from '../config-text';

const window = (more: string) => `- {name: lunch, timezone: UTC, start: 0 9 * * *, end: 0 10 * * *, ${more}}`;
const FLOOR = 'unit: {floor: {cpu: 4, memory: 16Gi}}';

test('a floor requests nothing and has the size of a node', () => {
  const { config } = load(pool('max: 8', FLOOR, 'schedules:', window('addNodes: 6')));
  expect(config.headrooms[0]).toMatchObject({
    unit: { kind: 'floor', requests: {} },
    minNode: { cpu: 4, memoryMiB: 16_384 },
    windows: [{ name: 'lunch', replicas: 6, relative: true }],
  });
});

test('an absolute window of a floor is one like any other', () => {
  const { config } = load(pool('max: 8', FLOOR, 'schedules:', window('desiredReplicas: 6')));
  expect(config.headrooms[0]?.windows[0]).not.toHaveProperty('relative');
});

test('an overlay may turn room into a floor', () => {
  const { config } = load(pool('max: 8', 'unit: {node: {cpu: 1}}'), 'nodePools: {web: {unit: {floor: {cpu: 4}}}}');
  expect(config.headrooms[0]?.unit).toEqual({ kind: 'floor', requests: {} });
});

test.each([
  {
    name: 'a floor without a size',
    lines: ['unit: {floor: {}}'],
    says: 'write the size of a node, such as {cpu: 4, memory: 16Gi}',
  },
  {
    name: 'a floor of something that nodes are not measured by',
    lines: ['unit: {floor: {nvidia.com/gpu: 1}}'],
    says: 'nvidia.com/gpu',
  },
  {
    name: 'minNode beside a floor',
    lines: [FLOOR, 'minNode: {cpu: 2}'],
    says: 'web.minNode says the same as unit.floor; leave it out',
  },
  {
    name: 'addNodes without a floor',
    lines: ['schedules:', window('addNodes: 6')],
    says: 'schedules[0].addNodes goes with a floor only; write unit: {floor: {cpu, memory}}',
  },
  {
    name: 'addNodes above max',
    lines: [FLOOR, 'schedules:', window('addNodes: 9')],
    says: 'schedules[0].addNodes is 9, above max 8; write at most 8 or raise max',
  },
  {
    name: 'both sizes',
    lines: [FLOOR, 'schedules:', window('addNodes: 6, desiredReplicas: 6')],
    says: 'addNodes does not go with desiredReplicas',
  },
  {
    name: 'no size',
    lines: [FLOOR, 'schedules:', window('excludeDates: []')],
    says: 'desiredReplicas is missing; write desiredReplicas: 6 (so many in all), or in a floor pool addNodes: 6',
  },
  {
    name: 'addNodes without a name',
    lines: [FLOOR, 'schedules:', '- {timezone: UTC, start: 0 9 * * *, end: 0 10 * * *, addNodes: 6}'],
    says: 'name is missing; write a name, such as lunch',
  },
  {
    name: 'more windows that add nodes than a record holds',
    lines: [
      FLOOR,
      'schedules:',
      ...Array.from({ length: 26 }, (_, i) => window('addNodes: 1').replace('lunch', `w${i}`)),
    ],
    says: 'web.schedules has 26 windows with addNodes; write at most 25',
  },
])('$name is refused with what to write', ({ lines, says }) => {
  expect(problemsIn(pool('max: 8', ...lines)).join('\n')).toContain(says);
});
