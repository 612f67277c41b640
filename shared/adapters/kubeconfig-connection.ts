import type { RequestOptions } from 'node:https';
import type { Connection } from './connection';

/** Reaches the current context of a kubeconfig file; the client library is loaded only for this. */
export async function kubeconfigConnection(path: string): Promise<Connection> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const kubeconfig = new KubeConfig();
  kubeconfig.loadFromFile(path);
  const cluster = kubeconfig.getCurrentCluster();
  if (!cluster)
    throw new Error(`${path} has no current context; run kubectl config use-context NAME --kubeconfig ${path}`);
  if (cluster.skipTLSVerify)
    throw new Error(
      `${path} turns TLS verification off (insecure-skip-tls-verify); write certificate-authority-data instead`,
    );

  const server = cluster.server.replace(/\/$/, '');
  if (server.startsWith('http:')) return plainConnection(server, kubeconfig.getCurrentUser()?.token);

  const options: RequestOptions = {};
  await kubeconfig.applyToHTTPSOptions(options);
  const { ca, cert, key } = options as { ca?: Buffer; cert?: Buffer; key?: Buffer };
  return {
    server: () => server,
    tls: () => ({ ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) }),
    authorize: async () => {
      // Asked each time: exec plugins renew their tokens themselves.
      const fresh: RequestOptions = {};
      await kubeconfig.applyToHTTPSOptions(fresh);
      const authorization = (fresh.headers as Record<string, string> | undefined)?.Authorization;
      return authorization === undefined ? {} : { authorization };
    },
  };
}

/** The sandbox speaks plain HTTP; the transport sees to it that only loopback is spoken to like this. */
function plainConnection(server: string, token: string | undefined): Connection {
  return {
    server: () => server,
    tls: () => ({}),
    authorize: async () => (token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
}
