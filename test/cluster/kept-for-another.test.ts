import { ANNOTATIONS } from '../../shared/core/manifests/annotations';
import { batch, heartbeat, spotWarning } from './functions/events';
import { type Installation, install } from './functions/installation';
import { addInstances, removeInstances } from './functions/instances';
import { onceMore, onceWindow, virtualTime } from './functions/virtual-time';
import type { Cluster } from './harness/cluster';
import { eventually } from './harness/process/eventually';
import { describeCluster, sharedCluster } from './harness/shared-cluster';

const minute = virtualTime();
const FOUR_CPUS = { 'karpenter.k8s.aws/instance-cpu': '4' };

/** No Karpenter looks at these NodePools: what is kept and what is dropped is what counts here. */
describeCluster('a headroom under the same key', () => {
  const SHOP = 'kept-shop';
  let cluster: Cluster;
  let headstart: Installation;

  const tick = async (at: number) => void (await headstart.invoke('reconcile', heartbeat(minute(at)), minute(at)));
  const size = async (key: string) => (await headstart.headroom(key)).spec.replicas;
  const nodesCounted = async () =>
    Object.values((await headstart.recordOf('floor')).counts ?? {}).map(({ nodes }) => nodes);
  const like = async () =>
    JSON.parse((await headstart.headroom('room')).metadata.annotations?.[ANNOTATIONS.like] ?? '{}');
  /** Paused, it makes no pods. */
  const workload = async (name: string, replicas: number, cpu: string) => {
    const labels = { app: name };
    const containers = [{ name: 'work', image: 'work', resources: { requests: { cpu } } }];
    await cluster.admin.apply({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace: SHOP },
      spec: {
        paused: true,
        replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers } },
      },
    });
  };
  const inflate = (order: object, at: number) =>
    headstart.invoke('inflate', { for: '60m', by: 'ana', ...order }, minute(at));
  const config = (nodePool: string, workload: string) => ({
    floor: {
      nodePool,
      max: 9,
      leadTime: '2m',
      unit: { floor: { cpu: 4 } },
      schedules: [onceMore('lunch', minute(0), minute(60), 3)],
      interruptions: { surge: 1, hold: '60m' },
    },
    room: {
      nodePool,
      max: 400,
      leadTime: '2m',
      unit: { like: { kind: 'Deployment', namespace: SHOP, name: workload, pods: 1 } },
      base: '25%',
      schedules: [{ ...onceWindow('peak', minute(0), minute(60), 0), desiredReplicas: '50%' }],
    },
  });

  beforeAll(async () => {
    cluster = await sharedCluster();
    await cluster.admin.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: SHOP } });
    await workload('checkout', 40, '500m');
    await workload('search', 8, '2');
    await addInstances(cluster, 'kept-old', ['i-2a', 'i-2b', 'i-2c', 'i-2d', 'i-2e'], FOUR_CPUS);
    await addInstances(cluster, 'kept-new', ['i-3a'], FOUR_CPUS);
    headstart = await install(cluster, { nodePools: config('kept-old', 'checkout') });
    await eventually(async () => {
      await tick(1);
      return (await like()).shape !== undefined;
    });
    expect(await headstart.invoke('interruption', batch(spotWarning('i-2a', minute(2))), minute(2))).toEqual({
      batchItemFailures: [],
    });
    await inflate({ headroom: 'floor', addNodes: 4 }, 3);
    await tick(3);
  });

  afterAll(async () => {
    await headstart?.remove();
    await cluster.admin.remove(`/api/v1/namespaces/${SHOP}`);
    for (const nodePool of ['kept-old', 'kept-new']) await removeInstances(cluster, nodePool);
  });

  test('counts, surges and shares are kept as long as it is the same', async () => {
    // Four more by hand are above the three of lunch, and the surge is one more.
    expect([await size('floor'), await nodesCounted()]).toEqual([5 + 4 + 1, [5]]);
    await workload('checkout', 20, '500m');
    await tick(4);
    // Half of the forty that there were when the peak began.
    expect([await size('room'), (await like()).base.replicas]).toEqual([20, 40]);
  });

  test('on another NodePool: nodes and shares are counted anew, surges are dropped, the override stands', async () => {
    await headstart.deploy(config('kept-new', 'checkout'));
    await tick(5);
    const { surges, override, nodePool } = await headstart.recordOf('floor');
    expect([await size('floor'), await nodesCounted(), surges, nodePool]).toEqual([1 + 4, [1], {}, 'kept-new']);
    expect(override).toMatchObject({ mode: 'addNodes', replicas: 4 });
    await tick(6);
    expect(await size('floor')).toBe(1 + 4);
    // Of the replicas that there are now, without waiting for five minutes below forty.
    expect([await size('room'), (await like()).base.replicas]).toEqual([10, 20]);
  });

  test('like another workload: its shape and its shares', async () => {
    await headstart.deploy(config('kept-new', 'search'));
    await eventually(async () => {
      await tick(7);
      return (await like()).workload?.includes('search') && (await like()).shape !== undefined;
    });
    const { shape, base, workload: kept } = await like();
    expect([kept, shape.requests.cpu, base.replicas]).toEqual([`Deployment ${SHOP}/search on kept-new`, '2', 8]);
    expect(await size('room')).toBe(4);
  });
});
