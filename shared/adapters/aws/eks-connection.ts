import type { Connection } from '../kube/connection';
import { ClusterNotFoundError } from './cluster-not-found';
import { eksToken } from './eks-token';
import type { AwsCredentials } from './presign';

export interface EksEndpoint {
  /** `https://....eks.amazonaws.com` */
  readonly server: string;
  /** PEM in base64, as EKS returns it. */
  readonly caBase64: string;
}

const MIN_DESCRIBE_INTERVAL_MS = 60_000;

export interface EksConnectionProps {
  readonly clusterName: string;
  readonly region: string;
  /** What the deploy read; read from EKS if missing or if it no longer answers. */
  readonly known?: EksEndpoint;
  readonly credentials: () => Promise<AwsCredentials>;
  readonly now: () => number;
  /** The deadline of the first call to EKS, if there is one. */
  readonly deadline?: number;
  /** @default DescribeCluster through @aws-sdk/client-eks, loaded only then */
  readonly describe?: (clusterName: string, region: string, deadline: number) => Promise<EksEndpoint>;
}

/** Reaches an EKS cluster with a token signed offline; a cold start needs no DescribeCluster. */
export async function eksConnection(props: EksConnectionProps): Promise<Connection> {
  const { clusterName, region, describe = describeEndpoint, deadline = Number.POSITIVE_INFINITY } = props;
  let endpoint = props.known ?? (await describe(clusterName, region, deadline));
  const token = eksToken(props);
  let describedAt = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> | undefined;
  const describeAgain = async (until: number) => {
    describedAt = props.now();
    endpoint = await describe(clusterName, region, until).catch((error: unknown) => {
      // A failure here must not hide why the endpoint did not answer.
      if (error instanceof ClusterNotFoundError) throw error;
      return endpoint;
    });
  };
  return {
    server: () => endpoint.server,
    tls: () => ({ ca: Buffer.from(endpoint.caBase64, 'base64') }),
    authorize: async (fresh) => ({ authorization: `Bearer ${await token(fresh)}` }),
    rediscover: async (until) => {
      if (!pending && props.now() - describedAt < MIN_DESCRIBE_INTERVAL_MS) return;
      // Concurrent failures share one call.
      pending ??= describeAgain(until).finally(() => {
        pending = undefined;
      });
      await pending;
    },
  };
}

async function describeEndpoint(clusterName: string, region: string, deadline: number): Promise<EksEndpoint> {
  const { describeCluster } = await import('./describe-cluster');
  const found = await describeCluster(clusterName, region, deadline);
  if (!found) throw new ClusterNotFoundError(clusterName, region);
  return found;
}
