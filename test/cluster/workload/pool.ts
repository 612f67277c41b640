import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HEADROOM_LABEL, KARPENTER_NODEPOOL_LABEL } from '../../../shared/core/basics/names';
import { heartbeat } from '../functions/events';
import { type Installation, install } from '../functions/installation';
import { virtualTime } from '../functions/virtual-time';
import type { KubeObject } from '../harness/api-client';
import type { Cluster } from '../harness/cluster';
import { type NodePoolOptions, nodePool } from '../harness/manifests';
import { eventually } from '../harness/process/eventually';
import { isRunning, type Pod, podsOf, workPod } from './pods';

/** A pool of several instance types, as most clusters have one. */
export const SEVERAL_TYPES = ['c', 's', 'm'].flatMap((family) =>
  [1, 2, 4, 8].map((size) => `${family}-${size}x-amd64-linux`),
);

const CLAIMS = '/apis/karpenter.sh/v1/nodeclaims';

export interface NodeClaim extends KubeObject {
  readonly status: { readonly nodeName?: string; readonly providerID?: string };
}

/** One NodePool with Headstart and some work on it, apart from all others. */
export interface Pool {
  readonly name: string;
  readonly minute: (minute: number) => number;
  readonly headstart: Installation;
  tick(at: number): Promise<void>;
  claims(): Promise<readonly NodeClaim[]>;
  /** Those of the headroom with the NodePool's name, or of one beside it. */
  headroomPods(beside?: string): Promise<readonly Pod[]>;
  workPods(): Promise<readonly Pod[]>;
  /** Starts work and gives the pod as it was created. */
  work(name: string, requests: Readonly<Record<string, string>>): Promise<Pod>;
  apply(manifest: KubeObject): Promise<void>;
  /** Waits until so many headroom pods run, and no others are there. */
  awaitHeadroom(count: number, beside?: string): Promise<readonly Pod[]>;
  remove(): Promise<void>;
}

export interface PoolOptions extends Omit<NodePoolOptions, 'name'> {
  /** As in `headroom.yaml`; gets the pool's time and the namespace of its work. */
  readonly headroom: (minute: (minute: number) => number, work: string) => object;
  /** Further headrooms on the NodePool; their keys begin with its name. */
  readonly beside?: Readonly<Record<string, object>>;
  readonly cloudwatch?: string;
  /** Another way to the apiserver. */
  readonly endpoint?: string;
}

/**
 * Patience for what Karpenter does, which looks around every 10 s and checks what it found 15 s later; and for
 * kube-scheduler, which may forget a pod that preempted for five minutes (kubernetes/kubernetes#141694).
 */
export const PATIENCE_MS = 400_000;

/** Creates the NodePool and puts Headstart beside it. */
export async function createPool(cluster: Cluster, options: PoolOptions): Promise<Pool> {
  const { headroom, endpoint, cloudwatch, beside = {}, ...rest } = options;
  const name = `pool-${randomUUID().slice(0, 8)}`;
  const work = `work-${name}`;
  const minute = virtualTime();
  const pool = nodePool({ instanceTypes: SEVERAL_TYPES, ...rest, name });
  await cluster.admin.apply(pool);
  const keyOf = (key?: string) => (key === undefined ? name : `${name}-${key}`);
  const others = Object.fromEntries(
    Object.entries(beside).map(([key, settings]) => [keyOf(key), { nodePool: name, ...settings }]),
  );
  const headstart = await install(cluster, {
    nodePools: { [name]: headroom(minute, work), ...others },
    ...(cloudwatch !== undefined && { cloudwatch }),
    ...(endpoint !== undefined && { endpoint }),
  });
  await cluster.admin.send('POST', '/api/v1/namespaces', { metadata: { name: work } });
  const account = `/api/v1/namespaces/${work}/serviceaccounts/default`;
  await eventually(() => cluster.admin.find(account), { what: 'the service account of the work' });

  const claims = async () => {
    const all = await cluster.admin.list<NodeClaim>(CLAIMS);
    return all.filter(({ metadata }) => metadata.labels?.[KARPENTER_NODEPOOL_LABEL] === name);
  };
  const headroomPods = (key?: string) => podsOf(cluster, headstart.namespace, `${HEADROOM_LABEL}=${keyOf(key)}`);
  return {
    name,
    minute,
    headstart,
    claims,
    headroomPods,
    tick: async (at) => void (await headstart.invoke('reconcile', heartbeat(minute(at)), minute(at))),
    workPods: () => podsOf(cluster, work),
    work: (pod, requests) =>
      cluster.admin.send<Pod>('POST', `/api/v1/namespaces/${work}/pods`, workPod(pod, name, requests)),
    apply: async (manifest) =>
      void (await cluster.admin.apply({ ...manifest, metadata: { ...manifest.metadata, namespace: work } })),
    awaitHeadroom: (count, key) =>
      eventually(
        async () => {
          const pods = await headroomPods(key);
          return pods.length === count && pods.every(isRunning) && pods;
        },
        { what: `${count} headroom pods of ${keyOf(key)} to run`, timeoutMs: PATIENCE_MS, intervalMs: 250 },
      ),
    remove: async () => {
      await headstart.remove();
      await cluster.admin.remove(`/api/v1/namespaces/${work}`);
      await cluster.admin.remove(await cluster.admin.pathOf(pool));
      const gone = async () => (await claims()).length === 0;
      await eventually(gone, { what: `the end of the nodes of ${name}`, timeoutMs: PATIENCE_MS, intervalMs: 500 });
    },
  };
}

/** Waits until a look gives the same answer for a while, and gives that answer. */
export async function settled<T>(look: () => Promise<T>, quietMs: number): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  let [last, since] = [await look(), performance.now()];
  while (performance.now() - since < quietMs) {
    if (performance.now() > deadline)
      throw new Error(`never quiet for ${quietMs} ms, in the end ${JSON.stringify(last)}`);
    await sleep(500);
    const seen = await look();
    if (JSON.stringify(seen) !== JSON.stringify(last)) [last, since] = [seen, performance.now()];
  }
  return last;
}
