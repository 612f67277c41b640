import { type CloudWatch, startCloudWatch } from './functions/cloudwatch';
import { alarmChange, heartbeat } from './functions/events';
import { type Installation, install } from './functions/installation';
import { virtualTime } from './functions/virtual-time';
import type { Cluster } from './harness/cluster';
import { describeCluster, sharedCluster } from './harness/shared-cluster';

const NAME = 'checkout-unhappy';

describeCluster('a composite alarm whose actions are suppressed', () => {
  const minute = virtualTime();
  let cluster: Cluster;
  let cloudwatch: CloudWatch;
  let headstart: Installation;

  const tick = (at: number) => headstart.invoke('reconcile', heartbeat(minute(at)), minute(at));
  const size = async () => (await headstart.headroom('composed')).spec.replicas;

  beforeEach(async () => {
    cluster = await sharedCluster();
    cloudwatch = await startCloudWatch();
    const pool = { max: 5, alarms: [{ alarmName: NAME, add: 2, hold: '2m' }] };
    headstart = await install(cluster, { cloudwatch: cloudwatch.url, nodePools: { composed: pool } });
    cloudwatch.setCompositeAlarm(NAME, 'OK', minute(-60));
    await tick(0);
  });

  afterEach(async () => {
    await headstart?.remove();
    await cloudwatch?.close();
  });

  test.each(['Alarm', 'WaitPeriod', 'ExtensionPeriod'] as const)(
    'counts by its state (%s): who silences the pager does not take the demand away',
    async (suppressedBy) => {
      cloudwatch.setCompositeAlarm(NAME, 'ALARM', minute(1), suppressedBy);
      await headstart.invoke('alarm', alarmChange(NAME, 'ALARM', 'OK', minute(1), suppressedBy), minute(1.1));
      expect(await size()).toBe(2);
      // CloudWatch tells the same state again when it no longer holds the actions back.
      cloudwatch.setCompositeAlarm(NAME, 'ALARM', minute(3));
      await headstart.invoke('alarm', alarmChange(NAME, 'ALARM', 'ALARM', minute(3)), minute(3.1));
      expect(await size()).toBe(2);
      cloudwatch.setCompositeAlarm(NAME, 'OK', minute(4));
      await headstart.invoke('alarm', alarmChange(NAME, 'OK', 'ALARM', minute(4)), minute(4.1));
      await tick(5.9);
      expect(await size()).toBe(2);
      await tick(6);
      expect(await size()).toBe(0);
    },
  );

  test('is found by the next tick when its event was lost', async () => {
    cloudwatch.setCompositeAlarm(NAME, 'ALARM', minute(1), 'Alarm');
    await tick(2);
    expect(await size()).toBe(2);
  });
});
