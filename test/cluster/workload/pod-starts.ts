import type { Cluster } from '../harness/cluster';
import { openApiserver, type WatchEvent } from './open-apiserver';
import type { Pod } from './pods';

/** When pods that carry a label began to run, by this process's clock. */
export interface PodStarts {
  /**
   * Waits until so many pods of the namespace run, and gives how long after `since` each did. With `forgetMs`, pods
   * that do not run by then are given up and took for ever.
   */
  awaitRunning(namespace: string, count: number, since: number, forgetMs?: number): Promise<readonly number[]>;
  /** Creates pods at once over connections that are open already. */
  create(namespace: string, pods: readonly object[]): Promise<void>;
  close(): void;
}

/** A pod that preempted may be forgotten by kube-scheduler for five minutes. */
const PATIENCE_MS = 480_000;

type Work = Pod & { readonly metadata: { readonly namespace: string; readonly uid: string } };

/** Watches the work of all namespaces, as a controller would. */
export async function watchPodStarts(cluster: Cluster): Promise<PodStarts> {
  const apiserver = await openApiserver(cluster);
  const starts = new Map<string, { namespace: string; at: number }>();
  let changed = () => {};

  apiserver.watch('/api/v1/pods?watch=true&labelSelector=app%3Dwork', note);

  function note({ type, object }: WatchEvent<Work>): void {
    const { uid, namespace } = object.metadata;
    if (type === 'DELETED' || object.status.phase !== 'Running' || starts.has(uid)) return;
    starts.set(uid, { namespace, at: performance.now() });
    changed();
  }
  return {
    create: async (namespace, pods) => {
      await Promise.all(pods.map((pod) => apiserver.send('POST', `/api/v1/namespaces/${namespace}/pods`, pod)));
    },
    awaitRunning: (namespace, count, since, forgetMs) =>
      new Promise((resolve, reject) => {
        const inNamespace = () => [...starts.values()].filter((start) => start.namespace === namespace);
        const tooLong = () => {
          const ran = inNamespace();
          const never = Array<number>(count - ran.length).fill(Number.POSITIVE_INFINITY);
          if (forgetMs !== undefined) resolve([...ran.map(({ at }) => at - since), ...never]);
          else reject(new Error(`${ran.length} of ${count} pods of ${namespace} ran in time`));
        };
        const timer = setTimeout(tooLong, forgetMs ?? PATIENCE_MS);
        const look = () => {
          const seen = inNamespace();
          if (seen.length < count) return;
          clearTimeout(timer);
          resolve(seen.map(({ at }) => at - since));
        };
        const before = changed;
        changed = () => {
          before();
          look();
        };
        look();
      }),
    close: () => apiserver.close(),
  };
}
