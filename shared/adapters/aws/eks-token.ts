import { dnsSuffix } from '../../core/basics/dns-suffix';
import { type AwsCredentials, presign } from './presign';

export interface EksTokenProps {
  readonly clusterName: string;
  readonly region: string;
  readonly credentials: () => Promise<AwsCredentials>;
  readonly now: () => number;
}

const PREFIX = 'k8s-aws-v1.';
/** EKS accepts a token for 15 minutes after it was signed. */
const LIFETIME_MS = 14 * 60_000;

/**
 * A bearer token for EKS: a presigned GetCallerIdentity call, signed offline. It is
 * cached until shortly before EKS would refuse it; `fresh` makes a new one.
 *
 * @see https://github.com/kubernetes-sigs/aws-iam-authenticator#api-authorization-from-outside-a-cluster
 */
export function eksToken(props: EksTokenProps): (fresh?: boolean) => Promise<string> {
  let cached: { token: string; until: number } | undefined;
  return async (fresh = false) => {
    const now = props.now();
    if (!fresh && cached && now < cached.until) return cached.token;
    const token = signToken(props, await props.credentials(), now);
    cached = { token, until: now + LIFETIME_MS };
    return token;
  };
}

function signToken({ clusterName, region }: EksTokenProps, credentials: AwsCredentials, now: number): string {
  const url = presign(
    {
      service: 'sts',
      region,
      url: new URL(`https://sts.${region}.${dnsSuffix(region)}/`),
      query: { Action: 'GetCallerIdentity', Version: '2011-06-15' },
      // Signed but not sent: EKS adds it with its own cluster's name.
      headers: { 'x-k8s-aws-id': clusterName },
      expiresSeconds: 60,
    },
    credentials,
    now,
  );
  return PREFIX + Buffer.from(url.href).toString('base64url');
}
