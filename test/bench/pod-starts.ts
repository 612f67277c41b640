import { Agent, request } from 'node:https';
import type { Cluster } from '../cluster/harness/cluster';
import type { Pod } from '../cluster/workload/pods';

/** When pods that carry a label began to run, by this process's clock. */
export interface PodStarts {
  /** Waits until so many pods of the namespace run, and gives how long after `since` each did. */
  awaitRunning(namespace: string, count: number, since: number): Promise<readonly number[]>;
  /** Creates pods at once over connections that are open already. */
  create(namespace: string, pods: readonly object[]): Promise<void>;
  close(): void;
}

interface Watched {
  readonly type: string;
  readonly object: Pod & { readonly metadata: { readonly namespace: string; readonly uid: string } };
}

/** Watches the work of all namespaces, as a controller would. */
export async function watchPodStarts(cluster: Cluster): Promise<PodStarts> {
  const { cert, key } = await cluster.issueClient('bench', ['system:masters']);
  const agent = new Agent({ keepAlive: true, maxSockets: 16, ca: cluster.ca, cert, key });
  const starts = new Map<string, { namespace: string; at: number }>();
  let changed = () => {};

  const watch = request(`${cluster.server}/api/v1/pods?watch=true&labelSelector=app%3Dwork`, { agent }, (response) => {
    let rest = '';
    response.setEncoding('utf8').on('data', (text: string) => {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) note(JSON.parse(line));
    });
    response.on('error', () => {});
  });
  watch.on('error', () => {});
  watch.end();

  function note({ type, object }: Watched): void {
    const { uid, namespace } = object.metadata;
    if (type === 'DELETED' || object.status.phase !== 'Running' || starts.has(uid)) return;
    starts.set(uid, { namespace, at: performance.now() });
    changed();
  }
  const post = (path: string, body: object) =>
    new Promise<void>((resolve, reject) => {
      const text = JSON.stringify(body);
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
      const sent = request(`${cluster.server}${path}`, { agent, method: 'POST', headers }, (response) => {
        response.resume().on('end', () => {
          if (response.statusCode === 201) resolve();
          else reject(new Error(`POST ${path}: ${response.statusCode}`));
        });
      });
      sent.on('error', reject);
      sent.end(text);
    });
  return {
    create: async (namespace, pods) => {
      await Promise.all(pods.map((pod) => post(`/api/v1/namespaces/${namespace}/pods`, pod)));
    },
    awaitRunning: (namespace, count, since) =>
      new Promise((resolve) => {
        const look = () => {
          const seen = [...starts.values()].filter((start) => start.namespace === namespace);
          if (seen.length >= count) resolve(seen.map(({ at }) => at - since));
        };
        const before = changed;
        changed = () => {
          before();
          look();
        };
        look();
      }),
    close: () => {
      watch.destroy();
      agent.destroy();
    },
  };
}
