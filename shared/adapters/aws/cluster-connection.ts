import type { Connection } from '../kube/connection';
import { ENVIRONMENT } from '../process/environment';
import { eksConnection } from './eks-connection';
import { credentialsFrom } from './lambda-credentials';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The connection that the environment describes: endpoint and CA from the deploy, credentials from Lambda. */
export function clusterConnection(
  cluster: { readonly name: string; readonly region: string },
  environment: Environment,
  now: () => number,
  deadline = Number.POSITIVE_INFINITY,
): Promise<Connection> {
  const [server, caBase64] = [environment[ENVIRONMENT.endpoint], environment[ENVIRONMENT.certificateAuthority]];
  return eksConnection({
    clusterName: cluster.name,
    region: cluster.region,
    ...(server && caBase64 && { known: { server, caBase64 } }),
    credentials: async () => credentialsFrom(environment),
    now,
    deadline,
  });
}
