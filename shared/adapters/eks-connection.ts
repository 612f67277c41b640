import type { Connection } from './connection';
import { type AwsCredentials, eksToken } from './eks-token';

export interface EksEndpoint {
  /** `https://....eks.amazonaws.com` */
  readonly server: string;
  /** PEM, base64 as EKS gives it. */
  readonly caBase64: string;
}

export interface EksConnectionProps {
  readonly clusterName: string;
  readonly region: string;
  /** What the deploy read; asked of EKS when missing or when it no longer answers. */
  readonly known?: EksEndpoint;
  readonly credentials: () => Promise<AwsCredentials>;
  readonly now: () => number;
  /** @default DescribeCluster through @aws-sdk/client-eks, loaded only then */
  readonly describe?: (clusterName: string, region: string) => Promise<EksEndpoint>;
}

/** Reaches an EKS cluster with a token signed offline; a cold start needs no DescribeCluster. */
export async function eksConnection(props: EksConnectionProps): Promise<Connection> {
  const { clusterName, region, describe = describeCluster } = props;
  let endpoint = props.known ?? (await describe(clusterName, region));
  let askedAgain = false;
  const token = eksToken(props);
  return {
    server: () => endpoint.server,
    tls: () => ({ ca: Buffer.from(endpoint.caBase64, 'base64') }),
    authorize: async (fresh) => ({ authorization: `Bearer ${await token(fresh)}` }),
    rediscover: async () => {
      if (askedAgain || !props.known) return;
      askedAgain = true;
      endpoint = await describe(clusterName, region);
    },
  };
}

async function describeCluster(name: string, region: string): Promise<EksEndpoint> {
  const { EKSClient, DescribeClusterCommand } = await import('@aws-sdk/client-eks');
  const { cluster } = await new EKSClient({ region }).send(new DescribeClusterCommand({ name }));
  const [server, caBase64] = [cluster?.endpoint, cluster?.certificateAuthority?.data];
  if (!server || !caBase64)
    throw new Error(`cluster ${name} in ${region} has no endpoint yet (status ${cluster?.status ?? 'unknown'})`);
  return { server, caBase64 };
}
