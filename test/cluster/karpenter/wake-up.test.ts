import { deploy, tickEvent, windowEdge } from '../../../shared/core/events/heartbeat-and-edges';
import { clusterObjects } from '../../../shared/core/manifests/cluster-object-manifests';
import { heartbeat } from '../functions/events';
import type { KubeObject } from '../harness/api-client';
import { podDeletions } from '../harness/audit';
import type { Cluster } from '../harness/cluster';
import { eventually } from '../harness/process/eventually';
import { describeCluster, sharedCluster } from '../harness/shared-cluster';
import { isRunning, type Pod, workPod } from '../workload/pods';
import { createPool, PATIENCE_MS, type Pool, type PoolOptions } from '../workload/pool';
import { testTogether } from '../workload/testing-together';

const SLICES = 24;
const HALF_CPU = { cpu: '500m' };
/** Nodes of 16 pod slots. */
const SMALL = ['c-1x-amd64-linux'];
/** A preemption counts once it is 10 s old. */
const LATER_MS = 15_000;
const NEVER = { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: 'Never' };
const patience = { timeoutMs: PATIENCE_MS, intervalMs: 250 };

interface EventObject extends KubeObject {
  readonly reason: string;
  readonly regarding: { readonly kind: string; readonly name: string };
}

const placesOf = (pods: readonly Pod[]) =>
  pods
    .filter(isRunning)
    .map(({ metadata, spec }) => `${metadata.uid} on ${spec.nodeName}`)
    .sort();
/** As they are at some time after a burst: Events carry the machine's time. */
const later = () => new Date(Date.now() + LATER_MS).toISOString();

jest.setTimeout(PATIENCE_MS);

describeCluster('wake-ups', () => {
  let cluster: Cluster;
  const pools: Pool[] = [];

  const open = async (
    headroom: { readonly base: number; readonly unit: object },
    options: Partial<PoolOptions> = {},
  ) => {
    const pool = await createPool(cluster, {
      disruption: NEVER,
      ...options,
      headroom: () => ({ ...headroom, max: headroom.base }),
    });
    pools.push(pool);
    await pool.tick(0);
    await pool.awaitHeadroom(headroom.base);
    return pool;
  };
  const openSlices = () => open({ base: SLICES, unit: { slice: HALF_CPU } });
  const burst = ({ name }: Pool, count: number, requests: Readonly<Record<string, string>>) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        cluster.admin.send('POST', `/api/v1/namespaces/work-${name}/pods`, workPod(`pod-${index}`, name, requests)),
      ),
    );
  const events = async ({ headstart }: Pool, wanted: string) =>
    (await cluster.admin.list<EventObject>(`/apis/events.k8s.io/v1/namespaces/${headstart.namespace}/events`)).filter(
      ({ reason }) => reason === wanted,
    );
  const preempted = (pool: Pool, least: number) =>
    eventually(async () => (await events(pool, 'Preempted')).length >= least, patience);
  const deletions = ({ headstart: { namespace } }: Pool) =>
    podDeletions(cluster.logOf, namespace).filter((line) => line.includes(`by headstart-${namespace} `));
  const send = ({ headstart }: Pool, event: { readonly time: string }) =>
    headstart.invoke('reconcile', event, Date.parse(event.time));

  beforeAll(async () => {
    cluster = await sharedCluster();
  });

  afterAll(() => Promise.all(pools.map((pool) => pool.remove())));

  testTogether({
    'after a burst a heartbeat that comes twice deletes one pause pod, all pods run and ready is back': async () => {
      const pool = await openSlices();
      await burst(pool, SLICES, HALF_CPU);
      await preempted(pool, SLICES / 2);
      await pool.awaitHeadroom(SLICES);
      const moved = async () => {
        const there = placesOf(await pool.workPods());
        return placed.filter((place) => !there.includes(place));
      };
      const placed = placesOf(await pool.workPods());

      await send(pool, tickEvent(windowEdge, later()));
      await send(pool, tickEvent(deploy, later()));
      expect(deletions(pool)).toEqual([]);

      const beat = heartbeat(Date.parse(later()));
      const another = await pool.headstart.start('reconcile');
      await Promise.all([send(pool, beat), another.invoke(beat, Date.parse(beat.time))]);
      await send(pool, beat);
      expect(deletions(pool)).toEqual([expect.stringMatching(/: 200$/)]);
      expect(await events(pool, 'Woken')).toMatchObject([
        { regarding: { kind: 'Deployment', name: `headroom-${pool.name}` } },
      ]);
      await eventually(async () => (await pool.workPods()).filter(isRunning).length === SLICES, patience);
      await pool.awaitHeadroom(SLICES);
      expect(await moved()).toEqual([]);
    },

    'pods of a floor are not deleted, whatever was preempted': async () => {
      const pool = await open({ base: 3, unit: { floor: { cpu: 1 } } }, { instanceTypes: SMALL });
      await burst(pool, 3 * 16, { cpu: '1m' });
      await preempted(pool, 2);
      await pool.awaitHeadroom(3);
      await send(pool, heartbeat(Date.parse(later())));
      expect(deletions(pool)).toEqual([]);
      expect(await events(pool, 'Woken')).toEqual([]);
    },

    'without the rights nothing is deleted, and nothing is said': async () => {
      const pool = await openSlices();
      const { namespace, linesOf } = pool.headstart;
      for (const manifest of clusterObjects(namespace, { wakeUp: false })) await cluster.admin.apply(manifest);
      await burst(pool, SLICES, HALF_CPU);
      await preempted(pool, SLICES / 2);
      await pool.awaitHeadroom(SLICES);
      await send(pool, heartbeat(Date.parse(later())));
      expect(deletions(pool)).toEqual([]);
      expect(await events(pool, 'Woken')).toEqual([]);
      expect(linesOf('reconcile').filter(({ level }) => level === 'warn' || level === 'error')).toEqual([]);
    },
  });
});
