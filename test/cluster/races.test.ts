import { type TcpProxy, tcpProxy } from '../fakes/tcp-proxy';
import { batch, spotWarning } from './functions/events';
import { type Installation, install } from './functions/installation';
import { addInstances, removeInstances } from './functions/instances';
import { virtualTime } from './functions/virtual-time';
import type { Cluster } from './harness/cluster';
import { describeCluster, sharedCluster } from './harness/shared-cluster';

const RACERS = ['i-0a', 'i-0b', 'i-0c', 'i-0d', 'i-0e'];
const LATER = ['i-1a', 'i-1b', 'i-1c'];

describeCluster('functions that race', () => {
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

  test('for a headroom that does not exist yet all take effect, once', async () => {
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

  test('for a headroom that exists all take effect, once', async () => {
    const racers = await Promise.all(LATER.map(() => headstart.start('interruption')));
    proxy.delay(100);
    await Promise.all(LATER.map((id, index) => racers[index]?.invoke(notice(id), minute(1))));
    proxy.delay(0);
    expect(Object.keys((await headstart.recordOf('race')).surges)).toEqual([...RACERS, ...LATER]);
    expect(await sizeOf('race')).toBe(3 + RACERS.length + LATER.length);
  });
});
