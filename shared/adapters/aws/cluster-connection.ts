import type { Connection } from '../kube/connection';
import { ENVIRONMENT } from '../process/environment';
import { eksConnection } from './eks-connection';
import type { AwsCredentials } from './presign';

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

/** Lambda puts the role's credentials into the environment before the process starts. */
export function credentialsFrom(environment: Environment): AwsCredentials {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
    throw new Error('no AWS credentials in the environment: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are required');
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  };
}
