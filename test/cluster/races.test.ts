import { setTimeout as sleep } from 'node:timers/promises';
import { type TcpProxy, tcpProxy } from '../fakes/tcp-proxy';
import { batch, heartbeat, spotWarning } from './functions/events';
import { type Installation, install } from './functions/installation';
import { addInstances, removeInstances } from './functions/instances';
import { virtualTime } from './functions/virtual-time';
import type { Cluster } from './harness/cluster';
import { eventually } from './harness/eventually';
import { describeCluster, sharedCluster } from './harness/shared-cluster';

const RACERS = ['i-0a', 'i-0b', 'i-0c', 'i-0d', 'i-0e'];
const LATER = ['i-1a', 'i-1b', 'i-1c'];

describeCluster('trouble on the way to the apiserver', () => {
  const minute = virtualTime();
  const pool = { base: 1, max: 20, interruptions: { surge: 1, max: 10, hold: '10m' } };
  let cluster: Cluster;
  let proxy: TcpProxy;
  let headstart: Installation;

  const sizeOf = async (nodePool: string) => (await headstart.headroom(nodePool)).spec.replicas;
  const notice = (instanceId: string) => batch(spotWarning(instanceId, minute(1)));

  beforeAll(async () => {
    cluster = await sharedCluster();
    proxy = await tcpProxy(cluster.server);
    headstart = await install(cluster, { nodePools: { race: pool }, endpoint: proxy.url });
    await addInstances(cluster, 'race', [...RACERS, ...LATER]);
  });

  afterAll(async () => {
    await headstart?.remove();
    await proxy?.close();
    await removeInstances(cluster, 'race');
  });

  test('functions that race for a headroom that does not exist yet all take effect, once', async () => {
    const racers = await Promise.all(RACERS.map(() => headstart.start('interruption')));
    const orderer = await headstart.start('inflate');
    // All of them have read before the first can write.
    proxy.delay(200);
    const answers = await Promise.all([
      ...RACERS.map((id, index) => racers[index]?.invoke(notice(id), minute(1))),
      orderer.invoke({ headroom: 'race', atLeast: 3, for: '10m' }, minute(1)),
    ]);
    proxy.delay(0);
    for (const answer of answers.slice(0, -1)) expect(answer?.value).toEqual({ batchItemFailures: [] });
    const { surges, override } = await headstart.recordOf('race');
    expect(Object.keys(surges)).toEqual(RACERS);
    expect(override).toMatchObject({ mode: 'atLeast', replicas: 3 });
    expect(await sizeOf('race')).toBe(3 + RACERS.length);
  });

  test('functions that race for a headroom that exists all take effect, once', async () => {
    const racers = await Promise.all(LATER.map(() => headstart.start('interruption')));
    proxy.delay(100);
    await Promise.all(LATER.map((id, index) => racers[index]?.invoke(notice(id), minute(1))));
    proxy.delay(0);
    expect(Object.keys((await headstart.recordOf('race')).surges)).toEqual([...RACERS, ...LATER]);
    expect(await sizeOf('race')).toBe(3 + RACERS.length + LATER.length);
  });

  test('an apiserver that answers slowly is waited for', async () => {
    proxy.delay(700);
    await headstart.invoke('inflate', { headroom: 'race', exactly: 2, for: '5m' }, minute(2));
    proxy.delay(0);
    expect(await sizeOf('race')).toBe(2);
  });

  test('an apiserver that freezes for a moment is waited for', async () => {
    cluster.pauseApiserver();
    const ordered = headstart.invoke('inflate', { headroom: 'race', exactly: 4, for: '5m' }, minute(3));
    await sleep(1500);
    cluster.resumeApiserver();
    await ordered;
    expect(await sizeOf('race')).toBe(4);
  });

  test('an apiserver that restarts midway leaves nothing half done: the retry does the rest', async () => {
    const order = { headroom: 'race', exactly: 6, for: '5m' };
    proxy.delay(1000);
    const cutOff = headstart.invoke('inflate', order, minute(4)).catch((error: Error) => error);
    await sleep(300);
    const restarted = cluster.restartApiserver();
    const first = await cutOff;
    await restarted;
    proxy.delay(0);
    if (first instanceof Error) {
      expect(first.message).toContain('race');
      // As Lambda does, in the same warm process, whose connections are dead now.
      await eventually(() => headstart.invoke('inflate', order, minute(4)), { timeoutMs: 120_000, intervalMs: 1000 });
    }
    expect(await sizeOf('race')).toBe(6);
    await headstart.invoke('inflate', { headroom: 'race', release: true }, minute(5));
    await headstart.invoke('reconcile', heartbeat(minute(12)), minute(12));
    expect(await sizeOf('race')).toBe(1);
  });
});
