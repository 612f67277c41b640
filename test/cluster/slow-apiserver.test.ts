import { setTimeout as sleep } from 'node:timers/promises';
import { batch, heartbeat, spotWarning } from './functions/events';
import { type Installation, install } from './functions/installation';
import { addInstances, removeInstances } from './functions/instances';
import { virtualTime } from './functions/virtual-time';
import type { Cluster } from './harness/cluster';
import { type Gateway, openGateway } from './harness/gateway';
import { describeCluster, sharedCluster } from './harness/shared-cluster';

const POOL = 'slow';
const HANDLED = { batchItemFailures: [] };

describeCluster('an apiserver behind a proxy that holds every answer back', () => {
  const minute = virtualTime();
  let cluster: Cluster;
  let gateway: Gateway;
  let headstart: Installation;
  let delayMs = 0;

  const surges = async () => Object.keys((await headstart.recordOf(POOL)).surges);
  /** What was asked since the last look. */
  let looked = 0;
  const asked = () => {
    const calls = gateway.calls.slice(looked);
    looked = gateway.calls.length;
    return calls.map(({ method }) => method).sort();
  };

  beforeAll(async () => {
    cluster = await sharedCluster();
    // The apiserver itself is quick: a write has taken effect before its answer is held back.
    gateway = await openGateway(cluster, { answered: () => sleep(delayMs, undefined, { ref: false }) });
    const pool = { base: 1, max: 20, interruptions: { surge: 1, max: 10, hold: '10m' } };
    headstart = await install(cluster, { nodePools: { [POOL]: pool }, endpoint: gateway.url });
    await addInstances(cluster, POOL, ['i-0a', 'i-0b', 'i-0c', 'i-0d']);
    await headstart.invoke('reconcile', heartbeat(minute(0)), minute(0));
    asked();
  });

  afterAll(async () => {
    await headstart?.remove();
    await gateway?.close();
    await removeInstances(cluster, POOL);
  });

  afterEach(() => {
    delayMs = 0;
  });

  test.each([
    { seconds: 4.9, id: 'i-0a' },
    { seconds: 5.1, id: 'i-0b' },
    { seconds: 8, id: 'i-0c' },
  ])('by $seconds s: a notice is handled in one invocation, and nothing is asked twice', async ({ seconds, id }) => {
    const fresh = await headstart.start('interruption');
    delayMs = seconds * 1000;
    const { value } = await fresh.invoke(batch(spotWarning(id, minute(1))), minute(1));
    expect(value).toEqual(HANDLED);
    expect(await surges()).toContain(id);
    // The last one creates the Kubernetes Event, after the write.
    expect(asked()).toEqual(['GET', 'GET', 'GET', 'PATCH', 'POST']);
  });

  test('by 14 s: the log says how slow it is, and the next delivery finds the write that timed out', async () => {
    const process = await headstart.start('interruption');
    delayMs = 14_000;
    const notice = batch(spotWarning('i-0d', minute(1)));
    const { value } = await process.invoke(notice, minute(1));
    expect(value).toEqual({ batchItemFailures: [{ itemIdentifier: '0' }] });
    const [error, ...others] = process.lines.filter(({ level }) => level === 'error');
    expect(others).toEqual([]);
    expect(error).toMatchObject({
      message: 'processing failed',
      reason: expect.stringMatching(
        /^headroom slow: PATCH \S+: TooSlow: \S+ is too slow: no response within \d\.\d s; its slowest response took 14\.\d s$/,
      ),
    });
    expect(await surges()).toContain('i-0d');
    asked();
    delayMs = 0;
    expect((await process.invoke(notice, minute(1.5))).value).toEqual(HANDLED);
    expect(asked()).toEqual(['GET', 'GET', 'GET']);
  });
});
