import { type TcpProxy, tcpProxy } from '../fakes/tcp-proxy';
import { batch, spotWarning } from './functions/events';
import { addInstances, removeInstances } from './functions/instances';
import { installOnePool, type OnePool } from './functions/one-pool';
import { describeCluster, sharedCluster } from './harness/shared-cluster';

const RACERS = ['i-0a', 'i-0b', 'i-0c', 'i-0d', 'i-0e'];
const LATER = ['i-1a', 'i-1b', 'i-1c'];

describeCluster('functions that race', () => {
  let one: OnePool;
  let proxy: TcpProxy;

  const notice = (instanceId: string) => batch(spotWarning(instanceId, one.minute(1)));
  const surges = async () => Object.keys((await one.headstart.recordOf('race')).surges);

  beforeAll(async () => {
    proxy = await tcpProxy((await sharedCluster()).server);
    const pool = { base: 1, max: 20, interruptions: { surge: 1, max: 10, hold: '10m' } };
    one = await installOnePool('race', pool, { endpoint: proxy.url });
    await addInstances(one.cluster, 'race', [...RACERS, ...LATER]);
  });

  afterAll(async () => {
    await one?.headstart.remove();
    await proxy?.close();
    await removeInstances(one.cluster, 'race');
  });

  test('for a headroom that does not exist yet all take effect, once', async () => {
    const racers = await Promise.all(RACERS.map(() => one.headstart.start('interruption')));
    const orderer = await one.headstart.start('inflate');
    // All of them have read before the first can write.
    proxy.delay(200);
    const answers = await Promise.all([
      ...RACERS.map((id, index) => racers[index]?.invoke(notice(id), one.minute(1))),
      orderer.invoke({ headroom: 'race', atLeast: 3, for: '10m' }, one.minute(1)),
    ]);
    proxy.delay(0);
    for (const answer of answers.slice(0, -1)) expect(answer?.value).toEqual({ batchItemFailures: [] });
    expect(await surges()).toEqual(RACERS);
    const { override } = await one.headstart.recordOf('race');
    expect(override).toMatchObject({ mode: 'atLeast', replicas: 3 });
    expect(await one.size()).toBe(3 + RACERS.length);
  });

  test('for a headroom that exists all take effect, once', async () => {
    const racers = await Promise.all(LATER.map(() => one.headstart.start('interruption')));
    proxy.delay(100);
    await Promise.all(LATER.map((id, index) => racers[index]?.invoke(notice(id), one.minute(1))));
    proxy.delay(0);
    expect(await surges()).toEqual([...RACERS, ...LATER]);
    expect(await one.size()).toBe(3 + RACERS.length + LATER.length);
  });
});
