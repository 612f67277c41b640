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

test('a floor may demand GPUs', () => {
  const { config } = load(pool('max: 8', 'unit: {floor: {gpu: 2}}'));
  expect(config.headrooms[0]).toMatchObject({ unit: { kind: 'floor', requests: {} }, minNode: { gpus: 2 } });
});

test('an alarm of a floor adds nodes to those that there are', () => {
  const { config } = load(pool('max: 8', FLOOR, 'alarms: [{alarmName: a, addNodes: 2}, {alarmName: b, add: 1}]'));
  expect(config.headrooms[0]?.alarms).toEqual([
    { name: 'a', alarmName: 'a', add: 2, relative: true, holdSeconds: 300 },
    { name: 'b', alarmName: 'b', add: 1, holdSeconds: 300 },
  ]);
});

test('an absolute window of a floor is one like any other', () => {
  const { config } = load(pool('max: 8', FLOOR, 'schedules:', window('desiredReplicas: 6')));
  expect(config.headrooms[0]?.windows[0]).not.toHaveProperty('relative');
});

test('an overlay may turn room into a floor', () => {
  const { config } = load(pool('max: 8', 'unit: {node: {cpu: 1}}'), 'nodePools: {web: {unit: {floor: {cpu: 4}}}}');
  expect(config.headrooms[0]?.unit).toEqual({ kind: 'floor', requests: {} });
});

test('a floor has no more windows that add nodes than a record holds', () => {
  const windows = Array.from({ length: 26 }, (_, i) => window('addNodes: 1').replace('lunch', `w${i}`));
  expect(problemsIn(pool('max: 8', 'leadTime: 5m', FLOOR, 'schedules:', ...windows))).toEqual([
    expect.stringContaining('web.schedules has 26 windows with addNodes; write at most 25'),
  ]);
});
