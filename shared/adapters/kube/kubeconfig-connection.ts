import type { RequestOptions } from 'node:https';
import { type Connection, loopbackConnection } from './connection';
import { type Kubeconfig, KubeconfigError, readKubeconfig, whyUnusable } from './read-kubeconfig';

/** Connects to the current context of a kubeconfig file; any problem with the file is a `KubeconfigError`. */
export async function kubeconfigConnection(path: string): Promise<Connection> {
  const { kubeconfig, server, token } = await readKubeconfig(path);
  // The HTTP client refuses plain HTTP anywhere but on loopback.
  if (server.startsWith('http:')) return loopbackConnection(server, token);

  const { ca, cert, key } = (await optionsOf(kubeconfig)) as { ca?: Buffer; cert?: Buffer; key?: Buffer };
  return {
    server: () => server,
    tls: () => ({ ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) }),
    authorize: async () => {
      // Read each time: exec plugins renew their tokens themselves.
      const { headers } = await optionsOf(kubeconfig);
      const authorization = (headers as Record<string, string> | undefined)?.Authorization;
      return authorization === undefined ? {} : { authorization };
    },
  };
}

async function optionsOf(kubeconfig: Kubeconfig): Promise<RequestOptions> {
  const options: RequestOptions = {};
  try {
    await kubeconfig.applyToHTTPSOptions(options);
  } catch (error) {
    throw new KubeconfigError(whyUnusable(error));
  }
  return options;
}
