import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { liveHeadroom } from '../../shared/adapters/kube-cluster';
import { planStep } from '../../shared/core/apply/reconcile-node-pool';
import type { Config } from '../../shared/core/config/config';

/** A Kubernetes API over TLS on loopback on which everything is as it should be, so that a reconcile changes nothing. */
export async function quietCluster(
  config: Config,
  now: number,
): Promise<{ env: Record<string, string>; close(): void }> {
  const step = { namespace: config.cluster.namespace, now, intents: [], imageVolumes: false };
  const items = config.nodePools.map((pool) => {
    const nodePool = { name: pool.name, taints: [] };
    const { manifest } = planStep({ ...step, pool, nodePool }, undefined);
    return { ...manifest, metadata: { ...manifest.metadata, uid: pool.name, resourceVersion: '1' } };
  });
  for (const item of items) {
    const pool = config.nodePools.find(({ name }) => `headroom-${name}` === item.metadata.name);
    if (
      pool &&
      planStep({ ...step, pool, nodePool: { name: pool.name, taints: [] } }, liveHeadroom(item)).outcome.change !==
        'none'
    )
      throw new Error(`the quiet cluster is not quiet: ${pool.name}`);
  }
  const deployments = JSON.stringify({ items });
  const nodePools = JSON.stringify({ items: config.nodePools.map(({ name }) => ({ metadata: { name }, spec: {} })) });
  const tls = (file: string) => readFileSync(`test/fixtures/tls/${file}`);
  const server = createServer({ key: tls('server.key'), cert: tls('server.crt') }, (request, response) => {
    if (request.method !== 'GET') {
      response.writeHead(500).end('{"reason":"Unexpected","message":"a quiet reconcile writes nothing"}');
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(request.url?.includes('/nodepools') ? nodePools : deployments);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    env: {
      HEADSTART_ENDPOINT: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      HEADSTART_CA: tls('ca.crt').toString('base64'),
      AWS_ACCESS_KEY_ID: 'bench',
      AWS_SECRET_ACCESS_KEY: 'bench',
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
