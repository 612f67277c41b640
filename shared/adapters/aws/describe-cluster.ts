import { abortAt } from './abort-at';
import type { AwsCredentials } from './presign';

export interface ClusterDescription {
  /** Distinguishes a cluster from an earlier one of the same name: letters, digits and `-`. */
  readonly id: string;
  /** `ACTIVE`, `UPDATING`, `DELETING` and the like. */
  readonly status: string;
  /** `https://....eks.amazonaws.com` */
  readonly server: string;
  /** PEM in base64, as EKS returns it. */
  readonly caBase64: string;
  readonly version: string;
  readonly vpcId: string;
  readonly securityGroupId: string;
  /** `API`, `API_AND_CONFIG_MAP` or `CONFIG_MAP`. */
  readonly authenticationMode: string;
  readonly publicAccess: boolean;
  readonly privateAccess: boolean;
  /** The addresses that may use the public endpoint. */
  readonly publicCidrs: readonly string[];
}

/** The cluster has no endpoint: it is being created, or that has failed. */
export class ClusterNotReadyError extends Error {
  constructor(name: string, region: string, status = 'unknown') {
    super(
      `cluster ${name} in ${region} has no endpoint (status ${status}); wait for it: aws eks wait cluster-active --name ${name} --region ${region}`,
    );
  }
}

/** Bounds a call from a VPC without a route to EKS, which would otherwise hang for minutes. */
const TIMEOUTS = { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true };

/** Calls EKS through @aws-sdk/client-eks, which is loaded only then; `undefined` if there is no such cluster. */
export async function describeCluster(
  name: string,
  region: string,
  deadline = Number.POSITIVE_INFINITY,
  aws: { readonly credentials?: AwsCredentials } = {},
): Promise<ClusterDescription | undefined> {
  const { EKSClient, DescribeClusterCommand, ResourceNotFoundException } = await import('./eks');
  const client = new EKSClient({ region, maxAttempts: 2, requestHandler: TIMEOUTS, ...aws });
  const command = new DescribeClusterCommand({ name });
  const response = await client.send(command, abortAt(deadline)).catch((error: unknown) => {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  });
  if (!response) return undefined;
  const { endpoint, certificateAuthority, resourcesVpcConfig: network, ...cluster } = response.cluster ?? {};
  if (!endpoint || !certificateAuthority?.data) throw new ClusterNotReadyError(name, region, cluster.status);
  return {
    id: idOf(cluster.identity?.oidc?.issuer, cluster.createdAt),
    status: cluster.status ?? '',
    server: endpoint,
    caBase64: certificateAuthority.data,
    version: cluster.version ?? '',
    vpcId: network?.vpcId ?? '',
    securityGroupId: network?.clusterSecurityGroupId ?? '',
    authenticationMode: cluster.accessConfig?.authenticationMode ?? '',
    publicAccess: network?.endpointPublicAccess ?? true,
    privateAccess: network?.endpointPrivateAccess ?? false,
    publicCidrs: network?.publicAccessCidrs ?? [],
  };
}

/** The id in the OIDC issuer's URL, which is unique for each cluster; without an issuer, the creation time. */
function idOf(issuer: string | undefined, createdAt: Date | undefined): string {
  const [id] = issuer?.split('/').slice(-1) ?? [];
  return (id || createdAt?.toISOString() || 'unknown').replace(/[^0-9A-Za-z]/g, '-');
}
