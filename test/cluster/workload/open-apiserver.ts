import { Agent, request } from 'node:https';
import type { Cluster } from '../harness/cluster';

/** One line of a watch. */
export interface WatchEvent<T> {
  readonly type: string;
  readonly object: T;
}

/** The apiserver over connections that stay open, as an administrator: for what must not wait for new ones. */
export interface OpenApiserver {
  send(method: string, path: string, body: object, contentType?: string): Promise<void>;
  /** Watches a list, as a controller would: begins again when the watch ends, with everything that is there. */
  watch<T>(path: string, note: (event: WatchEvent<T>) => void): void;
  close(): void;
}

const MAX_CONNECTIONS = 16;
const WATCH_AGAIN_MS = 100;

export async function openApiserver(cluster: Cluster): Promise<OpenApiserver> {
  const { cert, key } = await cluster.issueClient('bench', ['system:masters']);
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS, ca: cluster.ca, cert, key });
  let closed = false;
  return {
    send: (method, path, body, contentType = 'application/json') =>
      new Promise((resolve, reject) => {
        const text = JSON.stringify(body);
        const headers = { 'content-type': contentType, 'content-length': Buffer.byteLength(text) };
        const sent = request(`${cluster.server}${path}`, { agent, method, headers }, (response) => {
          response.resume().on('end', () => {
            if ((response.statusCode ?? 500) < 300) resolve();
            else reject(new Error(`${method} ${path}: ${response.statusCode}`));
          });
        });
        sent.on('error', reject);
        sent.end(text);
      }),
    watch: (path, note) => {
      const begin = () => {
        if (closed) return;
        const watch = request(`${cluster.server}${path}`, { agent }, (response) => {
          let rest = '';
          response.setEncoding('utf8').on('data', (text: string) => {
            if (response.statusCode !== 200) return;
            const lines = `${rest}${text}`.split('\n');
            rest = lines.pop() ?? '';
            for (const line of lines) note(JSON.parse(line));
          });
          response.on('error', () => {});
        });
        watch.on('error', () => {});
        // An apiserver that has just started refuses watches until its cache is filled, and one that restarts ends them.
        watch.on('close', () => setTimeout(begin, WATCH_AGAIN_MS).unref());
        watch.end();
      };
      begin();
    },
    close: () => {
      closed = true;
      agent.destroy();
    },
  };
}
