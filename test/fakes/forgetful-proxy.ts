import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What a load balancer does with a connection that it has forgotten: answers with RST, or not at all. */
export type Forgetting = 'reset' | 'silence';

/** A TCP proxy on loopback that forgets the connections it has, and serves new ones. */
export interface ForgetfulProxy {
  readonly url: string;
  /** Every connection that is open now is dead from now on. */
  forget(how: Forgetting): void;
  /** How many connections were ever opened. */
  opened(): number;
  /** How often somebody spoke into a dead connection. */
  wasted(): number;
  close(): Promise<void>;
}

export async function forgetfulProxy(target: string): Promise<ForgetfulProxy> {
  const { port, protocol } = new URL(target);
  const open = new Set<{ readonly client: Socket; dead?: Forgetting }>();
  let [opened, wasted] = [0, 0];
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
    upstream.on('data', (data) => {
      if (!one.dead) client.write(data);
    });
    for (const socket of [client, upstream]) socket.on('error', () => {});
    upstream.on('close', () => {
      if (!one.dead) client.destroy();
    });
    client.on('close', () => {
      open.delete(one);
      upstream.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `${protocol}//127.0.0.1:${(server.address() as AddressInfo).port}`,
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
