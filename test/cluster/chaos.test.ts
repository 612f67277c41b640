import { setTimeout as sleep } from 'node:timers/promises';
import { startEks } from './functions/eks';
import { batch, spotWarning } from './functions/events';
import type { FunctionProcess } from './functions/function-process';
import { type Installation, type InstallOptions, install } from './functions/installation';
import { addInstances } from './functions/instances';
import { type Delivered, deliverAll } from './functions/queue';
import { virtualTime } from './functions/virtual-time';
import { type Cluster, startCluster } from './harness/cluster';
import { applyCrds, readManifests } from './harness/crds';
import { type Call, type Fate, openGateway } from './harness/gateway';
import { issueForeignCertificate } from './harness/pki';
import { eventually } from './harness/process/eventually';
import { openRun } from './harness/run';
import { describeCluster } from './harness/shared-cluster';

const INSTANCES = Array.from({ length: 20 }, (_, index) => `i-0chaos${index}`);
const MAX_KILLS = 3;
const POOL = { base: 1, max: 50, interruptions: { surge: 1, max: 40, hold: '30m' } };

/** A cluster of its own: what happens to it must not happen to the other files'. */
describeCluster('chaos', () => {
  const minute = virtualTime();
  let cluster: Cluster;
  let headstart: Installation;

  beforeAll(async () => {
    cluster = await startCluster({ karpenter: false });
    await applyCrds(cluster.admin, readManifests('karpenter', 'CustomResourceDefinition'));
    await addInstances(cluster, 'chaos', INSTANCES);
  });

  beforeEach(() => cluster.heal());
  afterEach(() => headstart?.remove());
  afterAll(() => cluster?.stop());

  async function installed(options: Omit<InstallOptions, 'nodePools'> = {}): Promise<Installation> {
    headstart = await install(cluster, { nodePools: { chaos: POOL }, ...options });
    return headstart;
  }
  const size = async () => (await headstart.headroom('chaos')).spec.replicas;
  const surges = async () => Object.keys((await headstart.recordOf('chaos')).surges).sort();

  /** All notices, twice each and in small batches, so that there is much to interrupt. */
  async function deliverNotices(process: FunctionProcess): Promise<Delivered> {
    const bodies = INSTANCES.map((id) => JSON.stringify(spotWarning(id, minute(1))));
    const options = { batchSize: 2, maxReceives: 60, visibilityMs: 1000, at: minute(1) };
    return deliverAll([...bodies, ...bodies], [process], options);
  }
  const noticesOf = (...ids: readonly string[]) => batch(...ids.map((id) => spotWarning(id, minute(1))));
  async function expectEveryNoticeOnce(): Promise<void> {
    expect(await surges()).toEqual([...INSTANCES].sort());
    expect(await size()).toBe(POOL.base + INSTANCES.length);
  }

  describe.each(['kube-apiserver', 'etcd'])('%s is killed', (part) => {
    test.each([
      { when: 'when a write arrives', lost: 'question lost' as const },
      { when: 'after it was stored, so that its answer is lost', lost: 'answer lost' as const },
    ])('$when: every notice counts, once', async ({ lost }) => {
      const killer = killEveryThirdWrite(part, lost);
      const gateway = await openGateway(cluster, killer);
      try {
        await installed({ endpoint: gateway.url });
        const { deadLetters } = await deliverNotices(await headstart.start('interruption'));
        expect(await killer.killed()).toBeGreaterThan(0);
        expect(deadLetters).toBe(0);
        await expectEveryNoticeOnce();
      } finally {
        await gateway.close();
      }
    });
  });

  function killEveryThirdWrite(part: string, lost: Fate) {
    let [writes, kills] = [0, 0];
    let restarting: Promise<void> | undefined;
    let doomed: Call | undefined;
    const kill = () => {
      kills += 1;
      restarting = cluster.restart(part).finally(() => {
        restarting = undefined;
      });
    };
    return {
      fateOf: (call: Call): Fate => {
        if (call.method === 'PATCH') writes += 1;
        if (call.method !== 'PATCH' || writes % 3 !== 0 || restarting || kills === MAX_KILLS) return 'passes';
        doomed = call;
        if (lost === 'question lost') kill();
        return lost;
      },
      answered: (call: Call) => {
        if (call === doomed) kill();
      },
      killed: async () => {
        await restarting;
        return kills;
      },
    };
  }

  test('an apiserver that freezes: the function answers in time, and what failed is delivered again', async () => {
    await installed({ timeoutMs: 8000 });
    const process = await headstart.start('interruption');
    await process.invoke(noticesOf('i-0chaos0'), minute(1));
    cluster.pauseApiserver();
    const frozen = await process.invoke(noticesOf('i-0chaos1', 'i-0chaos2'), minute(1));
    cluster.resumeApiserver();
    expect(frozen.value).toEqual({ batchItemFailures: [{ itemIdentifier: '0' }, { itemIdentifier: '1' }] });
    expect(frozen.tookMs).toBeLessThan(8000);
    const { deadLetters } = await deliverNotices(process);
    expect(deadLetters).toBe(0);
    await expectEveryNoticeOnce();
  });

  test('a token that expired while its process slept is signed anew', async () => {
    await installed({ ownTime: false });
    const process = await headstart.start('inflate');
    const order = (exactly: number) => ({ headroom: 'chaos', exactly, for: '1h' });
    // By its clock the token is fresh, and soon it is a quarter of an hour old.
    const behind = 14 * 60_000 + 55_000;
    await process.invoke(order(2), Date.now() - behind);
    await sleep(6000);
    // The apiserver remembers for a while whom it has let in.
    await cluster.restartApiserver();
    await eventually(() => process.invoke(order(3), Date.now() - behind), { what: 'another token' });
    expect(cluster.logOf('authenticator')).toContain('refused: the token was signed at');
    expect(await size()).toBe(3);
  });

  test('a rotated CA: the function asks EKS once and goes on', async () => {
    const run = openRun(cluster.folder);
    const [first, second] = [await issueForeignCertificate(run), await issueForeignCertificate(run)];
    const gateway = await openGateway(cluster, { certificate: first });
    const eks = await startEks(gateway.url, first.ca);
    try {
      await installed({ endpoint: gateway.url, ca: first.ca, environment: eks.environment });
      const process = await headstart.start('inflate');
      await process.invoke({ headroom: 'chaos', exactly: 2, for: '1h' }, minute(1));
      expect(eks.asked()).toBe(0);
      gateway.present(second);
      eks.moveTo(gateway.url, second.ca);
      await process.invoke({ headroom: 'chaos', exactly: 3, for: '1h' }, minute(2));
      expect(eks.asked()).toBe(1);
      expect(await size()).toBe(3);
      await process.invoke({ headroom: 'chaos', exactly: 4, for: '1h' }, minute(3));
      expect(eks.asked()).toBe(1);
      expect(await size()).toBe(4);
    } finally {
      await Promise.all([gateway.close(), eks.close()]);
    }
  });
});
