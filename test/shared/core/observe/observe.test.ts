import { observe } from '../../../../shared/core/observe/observe';
import { reconcile } from '../../../../shared/core/process-event';
import { configOf, FakeRuntime } from '../../../fakes/fake-runtime';

const NOW = Date.parse('2026-11-16T03:00:00Z');
const made = (nodePools: string) => new FakeRuntime(configOf(nodePools), NOW);
const seen = (service: FakeRuntime) => observe(service.config, service.ports);

test('headroom, NodePools and alarms are seen by their names', async () => {
  const service = made(
    '  web: {max: 5, alarms: [{alarmName: a, add: 1}]}\n  batch: {max: 5, alarms: [{alarmName: a, add: 1}]}\n',
  );
  await reconcile(service, NOW, []);
  service.alarmStates.set('a', { state: 'ALARM', at: NOW });
  const { current, readings, failures, nodePoolOf } = await seen(service);
  expect([...(current?.keys() ?? [])]).toEqual(['headroom-web', 'headroom-batch']);
  expect(current?.get('headroom-web')?.name).toBe('headroom-web');
  expect(readings).toEqual(new Map([['a', { state: 'ALARM', at: NOW }]]));
  expect([nodePoolOf('web'), nodePoolOf('other'), failures]).toEqual([{ name: 'web', taints: [] }, 'missing', []]);
});

test('each alarm is asked for once', async () => {
  const { config, ports } = made(
    '  web: {max: 5, alarms: [{alarmName: a, add: 1}, {alarmName: b, add: 1}]}\n  batch: {max: 5, alarms: [{alarmName: a, add: 1}]}\n',
  );
  const asked: (readonly string[])[] = [];
  const read = async (names: readonly string[]) => {
    asked.push(names);
    return new Map();
  };
  await observe(config, { ...ports, alarms: { read } });
  expect(asked).toEqual([['a', 'b']]);
});

test('CloudWatch and the version are asked only where something depends on them', async () => {
  const service = made('  web: {max: 5}\n');
  expect(await seen(service)).toStrictEqual({
    failures: [],
    current: new Map(),
    nodePoolOf: expect.any(Function),
    startsOf: expect.any(Function),
    countNodeClaims: expect.any(Function),
  });
  expect([service.alarmReads, service.cluster.calls]).toEqual([0, ['list', 'nodePools']]);
});

test('the version is read where a NodePool warms images', async () => {
  const service = made('  batch: {max: 5}\n  web: {max: 5, warmImages: [example.com/app:1]}\n');
  expect((await seen(service)).minor).toBe(35);
});

test('nothing is read of alarms where there is no CloudWatch to ask', async () => {
  const { config, ports } = made('  web: {max: 5, alarms: [{alarmName: a, add: 1}]}\n');
  const { alarms: _alarms, ...without } = ports;
  const { readings, failures } = await observe(config, without);
  expect([readings, failures]).toEqual([undefined, []]);
});

test('what cannot be read is noted, and the rest is seen', async () => {
  const service = made(
    '  web: {max: 5, alarms: [{alarmName: a, add: 1}], warmImages: [example.com/app:1]}\n  batch: {max: 5}\n',
  );
  service.cluster.fault = (call) => new Error(`${call} is down`);
  service.alarmFault = new Error('CloudWatch is down');
  const { failures, nodePoolOf, countNodeClaims: _count, startsOf: _starts, ...rest } = await seen(service);
  expect(rest).toStrictEqual({});
  expect(nodePoolOf('web')).toBeUndefined();
  expect(failures).toHaveLength(4);
  expect(failures).toEqual(
    expect.arrayContaining([
      { what: 'reading the headroom of NodePools web, batch', error: new Error('list is down') },
      { what: 'reading the NodePools', error: new Error('nodePools is down') },
      { what: 'reading alarm states', error: new Error('CloudWatch is down') },
      { what: 'reading the Kubernetes version', error: new Error('version is down') },
    ]),
  );
});

test('each NodePool learns from its own nodes and from no others, by one look', async () => {
  const auto = (schedule: string) =>
    `{max: 5, leadTime: auto, unit: {node: {cpu: 1}}, schedules: [{name: ${schedule}, timezone: UTC, start: 0 9 * * *, end: 0 10 * * *, desiredReplicas: 2}]}`;
  const service = made(`  web: ${auto('a')}\n  batch: ${auto('b')}\n`);
  const start = (nodePool: string) => ({ nodePool, id: nodePool, createdAt: NOW, deleting: false });
  service.cluster.starts = ['web', 'batch', 'other'].map(start);
  const { starts, startsOf } = await observe(service.config, service.ports, { looksAtStarts: true });
  expect(starts).toEqual(
    new Map([
      ['web', [start('web')]],
      ['batch', [start('batch')]],
    ]),
  );
  const [, batch] = service.config.headrooms;
  expect(batch && (await startsOf(batch))).toEqual([start('batch')]);
  expect(service.cluster.calls.filter((call) => call === 'nodeClaims')).toHaveLength(1);
});

test('NodeClaims that cannot be read are one failure, however many ask for them', async () => {
  const service = made(
    '  web: {max: 5, leadTime: auto, schedules: [{timezone: UTC, start: 0 8 * * *, end: 0 9 * * *, desiredReplicas: 1}]}\n',
  );
  service.cluster.fault = (call) => (call === 'nodeClaims' ? new Error('503') : undefined);
  const options = { looksAtStarts: true };
  const { failures, startsOf } = await observe(service.config, service.ports, options);
  expect(failures).toEqual([{ what: 'reading the NodeClaims', error: new Error('503') }]);
  const [pool] = service.config.headrooms;
  if (!pool) throw new Error('no pool');
  await startsOf(pool);
  expect(failures).toHaveLength(1);
});
