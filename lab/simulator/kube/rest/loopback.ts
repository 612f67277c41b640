import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens on the loopback interface only; 0 is any free port. */
export function listenOnLoopback(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Why a foreign Host (DNS rebinding, by a page whose name resolves to this machine) or Origin (another site) is refused. */
export function foreignCaller({ headers, socket }: IncomingMessage): string | undefined {
  const own = ['127.0.0.1', 'localhost', '[::1]'].map((host) => `${host}:${socket.localPort}`);
  const { host = '', origin } = headers;
  if (!own.includes(host.toLowerCase())) return `host ${JSON.stringify(host)} is not served here: use ${own[0]}`;
  const isForeign = origin !== undefined && !own.some((one) => origin.toLowerCase() === `http://${one}`);
  return isForeign ? `origin ${JSON.stringify(origin)} is not allowed to call this server` : undefined;
}

/** The body of a request; `undefined` if it is larger than that. */
export async function readLimited(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size <= maxBytes) chunks.push(chunk as Buffer);
  }
  return size > maxBytes ? undefined : Buffer.concat(chunks).toString('utf8');
}
