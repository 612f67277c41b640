import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below what kernels give to outgoing connections, so that no such connection takes a port between look and use. */
const LOWEST = 20_000;
const HIGHEST = 32_000;

/** Ports that nothing listened to a moment ago; another process may still be faster, so users must be ready to retry. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const found = new Set<number>();
  for (let attempt = 0; found.size < count; attempt++) {
    if (attempt > 1000) throw new Error(`no free port found between ${LOWEST} and ${HIGHEST}`);
    const port = randomInt(LOWEST, HIGHEST);
    if (!found.has(port) && (await isFree(port))) found.add(port);
  }
  return [...found];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    // On all interfaces, as Karpenter does: such a port is free on the loopback interface too.
    const server = createServer()
      .on('error', () => resolve(false))
      .listen({ port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
