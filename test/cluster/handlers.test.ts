import type { OverrideResponse, Response } from '../../shared/core/respond';
import { type CloudWatch, startCloudWatch } from './functions/cloudwatch';
import { alarmChange, announcement, batch, heartbeat, spotWarning } from './functions/events';
import { type Installation, install } from './functions/installation';
import { addInstances, removeInstances } from './functions/instances';
import { virtualTime } from './functions/virtual-time';
import type { Cluster } from './harness/cluster';
import { describeCluster, sharedCluster } from './harness/shared-cluster';

const peak = { name: 'upload', pattern: { source: ['aws.s3'] }, hold: '30m', desiredReplicas: 3 };

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
        'fn-alarm': { max: 5, alarms: [{ alarmName: 'p95-high', add: 2, hold: '2m' }] },
        'fn-surge': { max: 5, interruptions: { surge: 1, hold: '2m' } },
        'fn-order': { max: 5 },
        'fn-peak': { max: 5, events: [peak] },
        'fn-slices': { max: 5, base: 2, unit: { slice: { cpu: '250m', memory: '64Mi' } } },
      },
    });
    cloudwatch.setAlarm('p95-high', 'OK', minute(-60));
    await addInstances(cluster, 'fn-surge', ['i-0aaa']);
  });

  afterAll(async () => {
    await headstart?.remove();
    await cloudwatch?.close();
    await removeInstances(cluster, 'fn-surge');
  });

  test('the first tick creates the headroom of every NodePool', async () => {
    const { decisions } = await tick(minute(0));
    expect(decisions.map(({ headroom, replicas }) => [headroom, replicas])).toEqual([
      ['fn-alarm', 0],
      ['fn-surge', 0],
      ['fn-order', 0],
      ['fn-peak', 0],
      ['fn-slices', 2],
    ]);
    for (const { headroom, replicas, change } of decisions) {
      expect(change).not.toBe('none');
      expect(await sizeOf(headroom)).toBe(replicas);
    }
  });

  test('a tick that finds everything as it should be writes nothing', async () => {
    await tick(minute(0.1));
    const before = await headstart.headroom('fn-slices');
    const { decisions } = await tick(minute(0.2));
    expect(decisions.map(({ change }) => change)).toEqual(Array(5).fill('none'));
    expect((await headstart.headroom('fn-slices')).metadata.generation).toBe(before.metadata.generation);
  });

  test('an alarm adds its boost, which ends with its hold', async () => {
    cloudwatch.setAlarm('p95-high', 'ALARM', minute(5));
    await headstart.invoke('alarm', alarmChange('p95-high', 'ALARM', 'OK', minute(5)), minute(5.1));
    expect(await sizeOf('fn-alarm')).toBe(2);
    cloudwatch.setAlarm('p95-high', 'OK', minute(6));
    await headstart.invoke('alarm', alarmChange('p95-high', 'OK', 'ALARM', minute(6)), minute(6.1));
    await tick(minute(8));
    expect(await sizeOf('fn-alarm')).toBe(0);
  });

  test('a node that is about to go adds a surge once, until its hold ends', async () => {
    const twice = batch(spotWarning('i-0aaa', minute(1)), spotWarning('i-0aaa', minute(1)));
    expect(await headstart.invoke('interruption', twice, minute(1))).toEqual({ batchItemFailures: [] });
    expect(await sizeOf('fn-surge')).toBe(1);
    await tick(minute(4));
    expect(await sizeOf('fn-surge')).toBe(0);
    expect((await headstart.recordOf('fn-surge')).surges).toEqual({});
  });

  test('an announced peak counts until it ends', async () => {
    const message = batch(announcement('fn-peak', 'upload', minute(1)));
    expect(await headstart.invoke('announce', message, minute(1))).toEqual({ batchItemFailures: [] });
    expect(await sizeOf('fn-peak')).toBe(3);
    await tick(minute(32));
    expect(await sizeOf('fn-peak')).toBe(0);
  });

  test('an override inflates at once and expires by itself', async () => {
    const order = { headroom: 'fn-order', atLeast: 4, for: '2m', reason: 'sale', by: 'ana' };
    const answer = await headstart.invoke<OverrideResponse>('inflate', order, minute(1));
    expect(answer).toMatchObject({ decisions: [{ headroom: 'fn-order', replicas: 4, next: { replicas: 0 } }] });
    expect(await sizeOf('fn-order')).toBe(4);
    await tick(minute(4));
    expect(await sizeOf('fn-order')).toBe(0);
    expect((await headstart.recordOf('fn-order')).override).toBeUndefined();
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
