import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { OWNER } from './quiet-cluster';

export interface LargeClusterOptions {
  readonly nodeClaims: number;
  readonly bytesEach: number;
  /** What the line carries; unbounded where absent. */
  readonly bytesPerSecond?: number;
}

export interface LargeCluster {
  readonly env: Readonly<Record<string, string>>;
  readonly lists: () => number;
  close(): void;
}

const CHUNK = 32 * 1024;

/** A Kubernetes API over TLS on loopback with that many NodeClaims, in pages where pages are asked for. */
export async function largeCluster(options: LargeClusterOptions): Promise<LargeCluster> {
  const { nodeClaims, bytesEach, bytesPerSecond = Number.POSITIVE_INFINITY } = options;
  const tls = (file: string) => readFileSync(`test/fixtures/tls/${file}`);
  let lists = 0;
  const server = createServer({ key: tls('server.key'), cert: tls('server.crt') }, async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'https://api');
    response.writeHead(200, { 'content-type': 'application/json' });
    if (!pathname.endsWith('/nodeclaims')) return response.end('{"items":[]}');
    lists += 1;
    const first = Number(searchParams.get('continue') ?? 0);
    const last = Math.min(nodeClaims, first + Number(searchParams.get('limit') ?? nodeClaims));
    const items = Array.from({ length: last - first }, (_, index) => nodeClaim(first + index, bytesEach));
    const metadata = last < nodeClaims ? `{"continue":"${last}"}` : '{}';
    const body = Buffer.from(`{"metadata":${metadata},"items":[${items.join(',')}]}`);
    const started = Date.now();
    for (let at = 0; at < body.length; at += CHUNK) {
      const early = started + (at / bytesPerSecond) * 1_000 - Date.now();
      if (early > 1) await sleep(early);
      response.write(body.subarray(at, at + CHUNK));
    }
    return response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    env: {
      HEADSTART_ENDPOINT: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      HEADSTART_OWNER: OWNER,
      HEADSTART_CA: tls('ca.crt').toString('base64'),
      AWS_ACCESS_KEY_ID: 'bench',
      AWS_SECRET_ACCESS_KEY: 'bench',
    },
    lists: () => lists,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** As Karpenter writes them: most of it is requirements, status and managedFields. */
function nodeClaim(index: number, bytes: number): string {
  const text = JSON.stringify({
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: {
      name: `service-${index}`,
      labels: { 'karpenter.sh/nodepool': 'service' },
      managedFields: [{ manager: 'karpenter', fieldsV1: { padding: '' } }],
    },
    status: { providerID: `aws:///ap-northeast-2a/i-${index.toString(16).padStart(17, '0')}` },
  });
  return text.replace('"padding":""', `"padding":"${'x'.repeat(Math.max(0, bytes - text.length))}"`);
}
