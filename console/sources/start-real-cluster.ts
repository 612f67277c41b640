import type { Connection } from '../../shared/adapters/kube/connection';
import { kubeTransport } from '../../shared/adapters/kube/kube-transport';
import type { Config } from '../../shared/core/config/config';
import type { StartedSource } from './console-source';
import { RealClusterSource } from './real-cluster-source';

const FIRST_RESPONSE_MS = 8_000;

export interface RealClusterStart {
  readonly act: boolean;
  /** Why it is another cluster than the config's; then nothing is written. */
  readonly mismatch?: string | undefined;
}

export async function startRealCluster(
  connection: Connection,
  config: Config,
  { act, mismatch }: RealClusterStart,
): Promise<StartedSource> {
  await checkResponse(connection);
  const source = new RealClusterSource({
    config,
    transport: kubeTransport(connection),
    server: connection.server(),
    ...(mismatch !== undefined && { mismatch }),
  });
  await source.start({ act });
  return {
    source,
    greeting: `${mismatch === undefined ? '' : `ANOTHER CLUSTER: ${mismatch}\n`}Headstart against a REAL cluster, ${connection.server()}, in real time and without AWS.\n`,
    lines: [
      act
        ? 'acting     yes: Headstart writes its own namespace, PriorityClass and Deployments'
        : 'acting     no: nothing is written until you press "act" on the page (or start with --act)',
    ],
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
