import { Agent, request } from 'node:https';
import type { Cluster } from '../cluster/harness/cluster';

/** One line of a watch. */
export interface WatchEvent<T> {
  readonly type: string;
  readonly object: T;
}

/** A connection to the apiserver as an administrator, for what must not wait for a new one. */
export async function openConnections(cluster: Cluster, maxSockets = 16): Promise<Agent> {
  const { cert, key } = await cluster.issueClient('bench', ['system:masters']);
  return new Agent({ keepAlive: true, maxSockets, ca: cluster.ca, cert, key });
}

/** Watches a list of the apiserver, as a controller would, until the agent is destroyed. */
export function watchList<T>(url: string, agent: Agent, note: (event: WatchEvent<T>) => void): void {
  const watch = request(url, { agent }, (response) => {
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
}
