import type { DecisionResponse, Response } from '../../shared/core/respond';
import { heartbeat } from './functions/events';
import { type Installation, install } from './functions/installation';
import { virtualTime } from './functions/virtual-time';
import type { Cluster } from './harness/cluster';
import { eventually } from './harness/eventually';
import { describeCluster, sharedCluster } from './harness/shared-cluster';
import { podsOf } from './workload/pods';

const MERGE = 'application/merge-patch+json';
const FINALIZER = 'example.com/hold';

describeCluster('a headroom Deployment in another state', () => {
  const minute = virtualTime();
  let cluster: Cluster;
  let headstart: Installation;

  const tick = async (at: number): Promise<DecisionResponse | undefined> => {
    const { decisions } = await headstart.invoke<Response>('reconcile', heartbeat(minute(at)), minute(at));
    return decisions[0];
  };
  const edit = (patch: object) =>
    cluster.admin.send('PATCH', `${headstart.pathOf('state')}?fieldManager=kubectl`, patch, MERGE);
  const order = (exactly: number, at: number) =>
    headstart.invoke('inflate', { nodePool: 'state', exactly, for: '10m', by: 'ana' }, minute(at));
  const awaitPods = (count: number) =>
    eventually(async () => (await podsOf(cluster, headstart.namespace)).length === count, { what: `${count} pods` });

  beforeEach(async () => {
    cluster = await sharedCluster();
    headstart = await install(cluster, { nodePools: { state: { base: 2, max: 5 } } });
    await tick(0);
  });

  afterEach(() => headstart?.remove());

  test('paused: sizes take effect as ever', async () => {
    await edit({ spec: { paused: true } });
    await awaitPods(2);
    await order(4, 1);
    await awaitPods(4);
    expect(await tick(2)).toMatchObject({ change: 'none', replicas: 4 });
    await order(1, 3);
    await awaitPods(1);
  });

  test('being deleted: no function fails over it, and the tick after its end makes it again', async () => {
    await hold();
    expect(await tick(1)).toMatchObject({ change: 'none', replicas: 2 });
    await release();
    expect(await tick(2)).toMatchObject({ from: 0, replicas: 2 });
    await awaitPods(2);
  });

  test('being deleted: an order is refused rather than lost', async () => {
    await hold();
    await expect(order(4, 1)).rejects.toThrow('is being deleted');
    await release();
    await order(4, 2);
    expect((await headstart.headroom('state')).spec.replicas).toBe(4);
  });

  /** Its deletion has begun and does not come to an end. */
  async function hold(): Promise<void> {
    await edit({ metadata: { finalizers: [FINALIZER] } });
    await cluster.admin.remove(headstart.pathOf('state'));
  }

  async function release(): Promise<void> {
    await edit({ metadata: { finalizers: null } });
    const gone = async () => (await cluster.admin.find(headstart.pathOf('state'))) === undefined;
    await eventually(gone, { what: 'the end of the Deployment' });
  }
});
