import type { Connection } from '../kube/connection';
import { ClusterNotFoundError } from './cluster-not-found';
import { eksToken } from './eks-token';
import type { AwsCredentials } from './presign';

export interface EksEndpoint {
  /** `https://....eks.amazonaws.com` */
  readonly server: string;
  /** PEM, base64 as EKS gives it. */
  readonly caBase64: string;
}

const ASKED_AT_MOST_EVERY_MS = 60_000;

export interface EksConnectionProps {
  readonly clusterName: string;
  readonly region: string;
  /** What the deploy read; asked of EKS when missing or when it no longer answers. */
  readonly known?: EksEndpoint;
  readonly credentials: () => Promise<AwsCredentials>;
  readonly now: () => number;
  /** When EKS must have answered, if it is asked at once. */
  readonly deadline?: number;
  /** @default DescribeCluster through @aws-sdk/client-eks, loaded only then */
  readonly describe?: (clusterName: string, region: string, deadline: number) => Promise<EksEndpoint>;
}

/** Reaches an EKS cluster with a token signed offline; a cold start needs no DescribeCluster. */
export async function eksConnection(props: EksConnectionProps): Promise<Connection> {
  const { clusterName, region, describe = askEks, deadline = Number.POSITIVE_INFINITY } = props;
  let endpoint = props.known ?? (await describe(clusterName, region, deadline));
  const token = eksToken(props);
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;
  const askAgain = async (until: number) => {
    askedAt = props.now();
    endpoint = await describe(clusterName, region, until).catch((error: unknown) => {
      // Not being able to ask must not hide why the endpoint did not answer.
      if (error instanceof ClusterNotFoundError) throw error;
      return endpoint;
    });
  };
  return {
    server: () => endpoint.server,
    tls: () => ({ ca: Buffer.from(endpoint.caBase64, 'base64') }),
    authorize: async (fresh) => ({ authorization: `Bearer ${await token(fresh)}` }),
    rediscover: async (until) => {
      if (!asking && props.now() - askedAt < ASKED_AT_MOST_EVERY_MS) return;
      // Calls that fail side by side wait for one answer.
      asking ??= askAgain(until).finally(() => {
        asking = undefined;
      });
      await asking;
    },
  };
}

async function askEks(clusterName: string, region: string, deadline: number): Promise<EksEndpoint> {
  const { describeCluster } = await import('./describe-cluster');
  const found = await describeCluster(clusterName, region, deadline);
  if (!found) throw new ClusterNotFoundError(clusterName, region);
  return found;
}
