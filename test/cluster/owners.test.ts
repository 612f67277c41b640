import type { Response } from '../../shared/core/respond';
import { batch, deployed, heartbeat, spotWarning } from './functions/events';
import { type Installation, install } from './functions/installation';
import { addInstances, removeInstances } from './functions/instances';
import { virtualTime } from './functions/virtual-time';
import type { Cluster } from './harness/cluster';
import { describeCluster, sharedCluster } from './harness/shared-cluster';

describeCluster('two stacks that meet in one namespace', () => {
  const minute = virtualTime();
  let cluster: Cluster;
  let first: Installation;
  let second: Installation;

  const tick = (one: Installation, at: number) => one.invoke<Response>('reconcile', heartbeat(minute(at)), minute(at));

  beforeEach(async () => {
    cluster = await sharedCluster();
    first = await install(cluster, {
      stack: 'first',
      nodePools: { shared: { base: 2, max: 5 }, mine: { base: 1, max: 5 } },
    });
    second = await install(cluster, {
      stack: 'second',
      namespace: first.namespace,
      nodePools: { shared: { base: 4, max: 5, interruptions: { hold: '10m' } }, yours: { base: 3, max: 5 } },
    });
    await tick(first, 0);
  });

  afterEach(async () => {
    await second?.remove();
    await first?.remove();
  });

  const sizes = async (...nodePools: readonly string[]) =>
    Promise.all(nodePools.map(async (nodePool) => (await first.headroom(nodePool)).spec.replicas));

  test('the second fails, names both owners and what to change, and touches nothing of the first', async () => {
    const before = await first.headroom('shared');
    await expect(tick(second, 1)).rejects.toThrow(
      /Deployment headroom-shared belongs to .*\/first, and this is .*\/second; give one of the two another cluster\.namespace/,
    );
    expect((await first.headroom('shared')).metadata.generation).toBe(before.metadata.generation);
    // What is its own it keeps right all the same.
    expect(await sizes('shared', 'mine', 'yours')).toEqual([2, 1, 3]);
  });

  test('the second deletes nothing of the first, not even by its deploy', async () => {
    await expect(second.invoke('reconcile', deployed(minute(1)), minute(1))).rejects.toThrow(
      'headroom-shared belongs to',
    );
    expect(await sizes('shared', 'mine')).toEqual([2, 1]);
  });

  test('an order to the wrong stack fails, and its notices stay in the queue', async () => {
    await addInstances(cluster, 'shared', ['i-0owner']);
    try {
      await expect(second.invoke('inflate', { headroom: 'shared', exactly: 5, for: '10m' }, minute(1))).rejects.toThrow(
        'headroom-shared belongs to',
      );
      expect(await second.invoke('interruption', batch(spotWarning('i-0owner', minute(1))), minute(1))).toEqual({
        batchItemFailures: [{ itemIdentifier: '0' }],
      });
      expect(await sizes('shared')).toEqual([2]);
    } finally {
      await removeInstances(cluster, 'shared');
    }
  });

  test('ten minutes of both write nothing more than the first one did', async () => {
    await tick(first, 0.5);
    await tick(second, 0.6).catch(() => {});
    const before = await first.headroom('shared');
    for (let at = 1; at <= 10; at += 1) {
      expect((await tick(first, at)).decisions.map(({ change }) => change)).toEqual(['none', 'none']);
      await tick(second, at + 0.5).catch(() => {});
    }
    expect((await first.headroom('shared')).metadata.generation).toBe(before.metadata.generation);
  });
});
