import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between a client and the apiserver; TLS passes through untouched. */
export interface SlowProxy {
  /** To be used instead of the apiserver's URL; its certificate holds for both. */
  readonly url: string;
  /** How long each piece of an answer is held back. */
  setDelay(delayMs: number): void;
  close(): Promise<void>;
}

/** Makes the apiserver answer late, for the clients that go through it and for no others. */
export async function startSlowProxy(server: string, firstDelayMs: number): Promise<SlowProxy> {
  const { hostname, port } = new URL(server);
  const sockets = new Set<Socket>();
  let delayMs = firstDelayMs;
  const proxy = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const [socket, other] of [[client, upstream] as const, [upstream, client] as const]) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    client.pipe(upstream);
    upstream.on('data', (piece) => void setTimeout(() => client.write(piece), delayMs));
    upstream.on('end', () => void setTimeout(() => client.end(), delayMs));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port: proxyPort } = proxy.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${proxyPort}`,
    setDelay: (next) => {
      delayMs = next;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
