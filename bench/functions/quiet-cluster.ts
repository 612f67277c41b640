import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { currentHeadroom } from '../../shared/adapters/kube/kube-cluster';
import { prepareChange } from '../../shared/core/apply/apply-decision';
import type { Config, HeadroomConfig } from '../../shared/core/config/config';
import { decide } from '../../shared/core/decision/decide';
import type { CurrentHeadroom } from '../../shared/core/ports/ports';
import { updateRecord } from '../../shared/core/process-event';

/** As the bench's functions find it in their environment. */
export const OWNER = '123456789012/eu-west-1/bench/headroom/bench';

/** A Kubernetes API over TLS on loopback on which everything is as it should be, so that a reconcile changes nothing. */
export async function quietCluster(
  config: Config,
  now: number,
): Promise<{ env: Record<string, string>; close(): void }> {
  const seen = { nodePoolOf: (name: string) => ({ name, taints: [] }), minor: 0 };
  const prepared = (pool: HeadroomConfig, current: CurrentHeadroom | undefined) => {
    const { quarantined, ...updated } = updateRecord(pool, current, now, { intents: [] });
    const decision = decide({ pool, record: updated.record, now });
    const news = { ...updated, countedLate: [], verdicts: [] };
    const change = { config, owner: OWNER, pool, seen, current, news, quarantined, held: undefined, decision, now };
    return prepareChange(change);
  };
  const items = config.headrooms.map((pool) => {
    const { manifest } = prepared(pool, undefined);
    const item = { ...manifest, metadata: { ...manifest.metadata, uid: pool.name, resourceVersion: '1' } };
    if (prepared(pool, currentHeadroom(item)).outcome.change !== 'none')
      throw new Error(`the quiet cluster is not quiet: ${pool.name}`);
    return item;
  });
  const deployments = JSON.stringify({ items });
  const nodePools = JSON.stringify({ items: config.headrooms.map(({ name }) => ({ metadata: { name }, spec: {} })) });
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
      HEADSTART_OWNER: OWNER,
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
