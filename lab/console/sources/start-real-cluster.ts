import type { Connection } from '../../../shared/adapters/kube/connection';
import { kubeTransport } from '../../../shared/adapters/kube/kube-transport';
import type { Config } from '../../../shared/core/config/config';
import type { StartedSource } from './console-source';
import { type RealClusterOptions, RealClusterSource } from './real-cluster-source';

const FIRST_RESPONSE_MS = 8_000;

export interface RealClusterStart extends Pick<RealClusterOptions, 'sendOverride'> {
  /** What says that it is another cluster than the config's. */
  readonly mismatch?: () => Promise<string | undefined>;
}

export async function startRealCluster(
  connection: Connection,
  config: Config,
  { sendOverride, ...start }: RealClusterStart,
): Promise<StartedSource> {
  await checkResponse(connection);
  const [server, mismatch] = [connection.server(), await start.mismatch?.()];
  const source = new RealClusterSource({
    config,
    transport: kubeTransport(connection),
    server,
    mismatch,
    sendOverride,
  });
  await source.start();
  return {
    source,
    greeting: `${mismatch === undefined ? '' : `ANOTHER CLUSTER: ${mismatch}\n`}Headstart's console on a REAL cluster, ${server}.\n`,
    lines: ['writes     nothing by itself; Inflate and Release on the page send overrides like these commands'],
    stop: async () => source.stop(),
  };
}

/** Reports a wrong address immediately, not after many tries. */
async function checkResponse(connection: Connection): Promise<void> {
  await kubeTransport(connection, { maxTries: 1, timeoutMs: FIRST_RESPONSE_MS })
    .get('/version')
    .catch((error: unknown) => {
      throw new Error(
        `the cluster does not respond; check the kubeconfig and the network: ${(error as Error).message}`,
      );
    });
}
