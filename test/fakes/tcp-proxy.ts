import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What a load balancer does with a connection that it has forgotten: answers with RST, or not at all. */
export type Forgetting = 'reset' | 'silence';

/** A way to a server on loopback that may be slow, and may forget the connections it has; TLS passes through untouched. */
export interface TcpProxy {
  readonly url: string;
  /** How long each piece of an answer is held back from now on. */
  delay(ms: number): void;
  /** Every connection that is open now is dead from now on. */
  forget(how: Forgetting): void;
  /** How many connections were ever opened. */
  opened(): number;
  /** How often somebody spoke into a dead connection. */
  wasted(): number;
  close(): Promise<void>;
}

export async function tcpProxy(target: string): Promise<TcpProxy> {
  const { port, protocol } = new URL(target);
  const open = new Set<{ readonly client: Socket; dead?: Forgetting }>();
  let [opened, wasted, delayMs] = [0, 0, 0];
  const server = createServer((client) => {
    const upstream = connect(Number(port), '127.0.0.1');
    const one: { readonly client: Socket; dead?: Forgetting } = { client };
    open.add(one);
    opened += 1;
    client.on('data', (data) => {
      if (!one.dead) return void upstream.write(data);
      wasted += 1;
      if (one.dead === 'reset') client.resetAndDestroy();
    });
    const later = (pass: () => void) => void (delayMs > 0 ? setTimeout(pass, delayMs) : pass());
    upstream.on('data', (data) => later(() => !one.dead && client.write(data)));
    for (const socket of [client, upstream]) socket.on('error', () => {});
    upstream.on('close', () => later(() => !one.dead && client.destroy()));
    client.on('close', () => {
      open.delete(one);
      upstream.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `${protocol}//127.0.0.1:${(server.address() as AddressInfo).port}`,
    delay: (ms) => {
      delayMs = ms;
    },
    forget: (how) => {
      for (const one of open) one.dead = how;
    },
    opened: () => opened,
    wasted: () => wasted,
    close: () =>
      new Promise((resolve) => {
        for (const { client } of open) client.destroy();
        server.close(() => resolve());
      }),
  };
}
