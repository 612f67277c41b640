import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** As much of EKS as the functions ask for. */
export interface Eks {
  /** What the functions need in their environment to ask here. */
  readonly environment: Readonly<Record<string, string>>;
  /** How often somebody asked. */
  asked(): number;
  /** Where the cluster is from now on, and the PEM of the authority that its certificate comes from. */
  moveTo(endpoint: string, ca: string): void;
  close(): Promise<void>;
}

/** Starts an EKS that knows one cluster, whatever it is called. */
export async function startEks(endpoint: string, ca: string): Promise<Eks> {
  let asked = 0;
  let described = describe(endpoint, ca);
  const server = createServer((_question, answer) => {
    asked += 1;
    answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ cluster: described }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    environment: { AWS_ENDPOINT_URL_EKS: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    asked: () => asked,
    moveTo: (...now) => {
      described = describe(...now);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function describe(endpoint: string, ca: string) {
  return { endpoint, certificateAuthority: { data: Buffer.from(ca).toString('base64') }, status: 'ACTIVE' };
}
