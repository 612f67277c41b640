import { type CloudWatch, startCloudWatch } from './functions/cloudwatch';
import { alarmChange, heartbeat } from './functions/events';
import { type Installation, install } from './functions/installation';
import { addInstances, removeInstances } from './functions/instances';
import { onceMore, virtualTime } from './functions/virtual-time';
import type { Cluster } from './harness/cluster';
import { nodePool } from './harness/manifests';
import { describeCluster, sharedCluster } from './harness/shared-cluster';

const [ORDERED, FLOOR] = ['clock-ordered', 'clock-floor'];
const HOURS = 3 * 60;

describeCluster('a process whose clock is wrong', () => {
  const minute = virtualTime();
  let cluster: Cluster;
  let cloudwatch: CloudWatch;
  let headstart: Installation;

  const reconcile = (at: number) => headstart.invoke('reconcile', heartbeat(minute(at)), minute(at));
  const stateOf = async (pool: string) => ({
    size: (await headstart.headroom(pool)).spec.replicas,
    record: await headstart.recordOf(pool),
  });
  const both = async () => [await stateOf(ORDERED), await stateOf(FLOOR)];

  beforeAll(async () => {
    cluster = await sharedCluster();
    cloudwatch = await startCloudWatch();
    await cluster.admin.apply(nodePool({ name: FLOOR, nodeClass: 'none' }));
    await addInstances(cluster, FLOOR, ['i-0clock1', 'i-0clock2', 'i-0clock3'], {
      'karpenter.kwok.sh/instance-cpu': '4',
    });
    const schedules = [onceMore('lunch', minute(1), minute(90), 6), onceMore('late', minute(170), minute(260), 6)];
    headstart = await install(cluster, {
      cloudwatch: cloudwatch.url,
      nodePools: {
        [ORDERED]: { max: 20, alarms: [{ alarmName: 'busy', add: 2, hold: '40m' }] },
        [FLOOR]: { max: 6, leadTime: '0m', unit: { floor: { cpu: 4 } }, schedules },
      },
    });
    cloudwatch.setAlarm('busy', 'ALARM', minute(1));
    await headstart.invoke('alarm', alarmChange('busy', 'ALARM', 'OK', minute(1)), minute(1));
    cloudwatch.setAlarm('busy', 'OK', minute(2));
    await headstart.invoke('alarm', alarmChange('busy', 'OK', 'ALARM', minute(2)), minute(2));
    await headstart.invoke('inflate', { headroom: ORDERED, atLeast: 6, for: '2h', by: 'ana' }, minute(3));
    await reconcile(4);
  });

  afterAll(async () => {
    await headstart?.remove();
    await cloudwatch?.close();
    await removeInstances(cluster, FLOOR);
    await cluster.admin.remove(`/apis/karpenter.sh/v1/nodepools/${FLOOR}`);
  });

  test.each([
    { name: 'three hours ahead', at: 10, off: HOURS },
    { name: 'three hours behind', at: 20, off: -HOURS },
  ])('by $name: a heartbeat changes nothing, rings, and the next sane one finds everything', async ({ at, off }) => {
    const before = await both();
    expect(before).toMatchObject([{ size: 8, record: { override: { by: 'ana' } } }, { size: 9 }]);
    const shifted = await headstart.start('reconcile');
    const { value } = await shifted.invoke(heartbeat(minute(at)), minute(at + off));
    expect(value).toMatchObject({ rejected: expect.stringContaining('nothing was changed') });
    expect(shifted.lines).toContainEqual(expect.objectContaining({ level: 'error', message: 'event rejected' }));
    expect(shifted.lines).toContainEqual(expect.objectContaining({ RejectedEvents: 1 }));
    expect(await both()).toEqual(before);
    await reconcile(at + 1);
    expect(await both()).toEqual(before);
  });
});
