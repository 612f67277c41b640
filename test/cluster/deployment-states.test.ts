import { installOnePool, type OnePool } from './functions/one-pool';
import { eventually } from './harness/process/eventually';
import { describeCluster } from './harness/shared-cluster';
import { podsOf } from './workload/pods';

const FINALIZER = 'example.com/hold';

describeCluster('a headroom Deployment in another state', () => {
  let one: OnePool;

  const edit = (patch: object) => one.edit('kubectl', patch);
  const awaitPods = (count: number) =>
    eventually(async () => (await podsOf(one.cluster, one.headstart.namespace)).length === count, {
      what: `${count} pods`,
    });

  beforeEach(async () => {
    one = await installOnePool('state', { base: 2, max: 5 });
    await one.tick(0);
  });

  afterEach(() => one?.headstart.remove());

  test('paused: sizes take effect as ever', async () => {
    await edit({ spec: { paused: true } });
    await awaitPods(2);
    await one.pin(4, 1);
    await awaitPods(4);
    expect(await one.tick(2)).toMatchObject({ change: 'none', replicas: 4 });
    await one.pin(1, 3);
    await awaitPods(1);
  });

  test('being deleted: no function fails over it, and the tick after its end makes it again', async () => {
    await hold();
    expect(await one.tick(1)).toMatchObject({ change: 'none', replicas: 2 });
    await release();
    expect(await one.tick(2)).toMatchObject({ from: 0, replicas: 2 });
    await awaitPods(2);
  });

  test('being deleted: an override is refused rather than lost', async () => {
    await hold();
    await expect(one.pin(4, 1)).rejects.toThrow('is being deleted');
    await release();
    await one.pin(4, 2);
    expect(await one.size()).toBe(4);
  });

  /** Its deletion has begun and does not come to an end. */
  async function hold(): Promise<void> {
    await edit({ metadata: { finalizers: [FINALIZER] } });
    await one.cluster.admin.remove(one.headstart.pathOf('state'));
  }

  async function release(): Promise<void> {
    await edit({ metadata: { finalizers: null } });
    const gone = async () => (await one.cluster.admin.find(one.headstart.pathOf('state'))) === undefined;
    await eventually(gone, { what: 'the end of the Deployment' });
  }
});
