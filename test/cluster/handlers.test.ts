import type { OverrideResponse, Response } from '../../shared/core/respond';
import { type CloudWatch, startCloudWatch } from './functions/cloudwatch';
import { alarmChange, batch, heartbeat, spotWarning } from './functions/events';
import { type Installation, install } from './functions/installation';
import { addInstances, removeInstances } from './functions/instances';
import { onceWindow, virtualTime } from './functions/virtual-time';
import type { Cluster } from './harness/cluster';
import { describeCluster, sharedCluster } from './harness/shared-cluster';

/** No such NodePools exist, so no nodes come: what the functions write is what counts here. */
describeCluster('the deployed functions', () => {
  const minute = virtualTime();
  let cluster: Cluster;
  let cloudwatch: CloudWatch;
  let headstart: Installation;

  const tick = (at: number) => headstart.invoke<Response>('reconcile', heartbeat(at), at);
  const sizeOf = async (nodePool: string) => (await headstart.headroom(nodePool)).spec.replicas;

  beforeAll(async () => {
    cluster = await sharedCluster();
    cloudwatch = await startCloudWatch();
    headstart = await install(cluster, {
      cloudwatch: cloudwatch.url,
      nodePools: {
        'fn-window': { max: 5, base: 1, leadTime: '1m', schedules: [onceWindow('lunch', minute(3), minute(5), 3)] },
        'fn-alarm': { max: 5, alarms: [{ alarmName: 'p95-high', add: 2, hold: '2m' }] },
        'fn-surge': { max: 5, interruptions: { surge: 1, max: 2, hold: '2m' } },
        'fn-order': { max: 5 },
        'fn-slices': { max: 5, base: 2, unit: { slice: { cpu: '250m', memory: '64Mi' } } },
      },
    });
    cloudwatch.setAlarm('p95-high', 'OK', minute(-60));
    await addInstances(cluster, 'fn-surge', ['i-0aaa', 'i-0bbb', 'i-0ccc']);
  });

  afterAll(async () => {
    await headstart?.remove();
    await cloudwatch?.close();
    await removeInstances(cluster, 'fn-surge');
  });

  test('the first tick creates the headroom of every NodePool', async () => {
    const { decisions } = await tick(minute(0));
    expect(decisions.map(({ headroom, replicas }) => [headroom, replicas])).toEqual([
      ['fn-window', 1],
      ['fn-alarm', 0],
      ['fn-surge', 0],
      ['fn-order', 0],
      ['fn-slices', 2],
    ]);
    for (const { headroom, replicas, change } of decisions) {
      expect(change).not.toBe('none');
      expect(await sizeOf(headroom)).toBe(replicas);
    }
  });

  test('a tick that finds everything as it should be writes nothing', async () => {
    await tick(minute(0.1));
    const before = await headstart.headroom('fn-window');
    const { decisions } = await tick(minute(0.2));
    expect(decisions.map(({ change }) => change)).toEqual(Array(5).fill('none'));
    expect((await headstart.headroom('fn-window')).metadata.generation).toBe(before.metadata.generation);
  });

  test('a window opens its lead time early and closes at its end', async () => {
    const sizes: number[] = [];
    for (const at of [1.9, 2, 3, 4.9, 5]) {
      await tick(minute(at));
      sizes.push(await sizeOf('fn-window'));
    }
    expect(sizes).toEqual([1, 3, 3, 3, 1]);
  });

  test('an alarm adds its boost, and the hold counts from the moment at which it ends', async () => {
    cloudwatch.setAlarm('p95-high', 'ALARM', minute(5));
    await headstart.invoke('alarm', alarmChange('p95-high', 'ALARM', 'OK', minute(5)), minute(5.1));
    expect(await sizeOf('fn-alarm')).toBe(2);
    cloudwatch.setAlarm('p95-high', 'OK', minute(6));
    await headstart.invoke('alarm', alarmChange('p95-high', 'OK', 'ALARM', minute(6)), minute(6.1));
    expect(await sizeOf('fn-alarm')).toBe(2);
    await tick(minute(7.9));
    expect(await sizeOf('fn-alarm')).toBe(2);
    await tick(minute(8));
    expect(await sizeOf('fn-alarm')).toBe(0);
  });

  test('an alarm whose event was lost is found by the next tick', async () => {
    cloudwatch.setAlarm('p95-high', 'ALARM', minute(8.5));
    await tick(minute(9));
    expect(await sizeOf('fn-alarm')).toBe(2);
    cloudwatch.setAlarm('p95-high', 'OK', minute(9.1));
    await tick(minute(11.2));
    expect(await sizeOf('fn-alarm')).toBe(0);
  });

  test('each node that is about to go adds a surge once, up to the most, until its hold ends', async () => {
    const notice = async (id: string, at: number) =>
      headstart.invoke('interruption', batch(spotWarning(id, at), spotWarning(id, at)), at);
    expect(await notice('i-0aaa', minute(1))).toEqual({ batchItemFailures: [] });
    expect(await sizeOf('fn-surge')).toBe(1);
    await notice('i-0aaa', minute(1.5));
    expect(await sizeOf('fn-surge')).toBe(1);
    await notice('i-0bbb', minute(2));
    await notice('i-0ccc', minute(2));
    expect(await sizeOf('fn-surge')).toBe(2);
    await tick(minute(4));
    expect(await sizeOf('fn-surge')).toBe(0);
    expect((await headstart.recordOf('fn-surge')).surges).toEqual({});
  });

  test('the notice of an instance of another cluster changes nothing and is counted', async () => {
    await headstart.invoke('interruption', batch(spotWarning('i-0fff', minute(5))), minute(5));
    expect(await sizeOf('fn-surge')).toBe(0);
    expect(headstart.linesOf('interruption')).toContainEqual(expect.objectContaining({ ForeignEvents: 1 }));
  });

  test('an order inflates at once and expires by itself', async () => {
    const order = { headroom: 'fn-order', atLeast: 4, for: '2m', reason: 'sale', by: 'ana' };
    const answer = await headstart.invoke<OverrideResponse>('inflate', order, minute(1));
    expect(answer).toMatchObject({ decisions: [{ headroom: 'fn-order', replicas: 4, next: { replicas: 0 } }] });
    expect(await sizeOf('fn-order')).toBe(4);
    await tick(minute(2.9));
    expect(await sizeOf('fn-order')).toBe(4);
    await tick(minute(4));
    expect(await sizeOf('fn-order')).toBe(0);
    expect((await headstart.recordOf('fn-order')).override).toBeUndefined();
  });

  test('a pin wins over the base, and a release gives it back', async () => {
    await headstart.invoke('inflate', { headroom: 'fn-slices', exactly: 0, for: '10m' }, minute(3));
    expect(await sizeOf('fn-slices')).toBe(0);
    await headstart.invoke('inflate', { headroom: 'fn-slices', release: true }, minute(4));
    expect(await sizeOf('fn-slices')).toBe(2);
  });

  test('an order above max is refused with the number to write', async () => {
    const answer = await headstart.invoke('inflate', { headroom: 'fn-order', atLeast: 9, for: '1m' }, minute(4));
    expect(answer).toEqual({
      rejected: expect.stringContaining('write at most 5'),
      example: expect.objectContaining({ headroom: expect.any(String), atLeast: expect.any(Number) }),
    });
    expect(await sizeOf('fn-order')).toBe(0);
  });

  test('status tells the size, what is ready and why, and writes nothing', async () => {
    const before = await headstart.headroom('fn-slices');
    const answer = await headstart.invoke<OverrideResponse>('inflate', { status: true }, minute(5));
    const status = 'status' in answer ? answer.status : [];
    expect(status).toContainEqual(
      expect.objectContaining({ headroom: 'fn-slices', wanted: 2, replicas: 2, ready: 0, shortfall: 2 }),
    );
    expect((await headstart.headroom('fn-slices')).metadata.generation).toBe(before.metadata.generation);
  });
});
