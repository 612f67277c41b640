import { Sha256 } from '@aws-crypto/sha256-js';
import { SignatureV4 } from '@smithy/signature-v4';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

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
 * A bearer token for EKS: a presigned GetCallerIdentity call, made offline. It is
 * cached until shortly before EKS would refuse it; `fresh` makes a new one.
 *
 * @see https://github.com/kubernetes-sigs/aws-iam-authenticator#api-authorization-from-outside-a-cluster
 */
export function eksToken(props: EksTokenProps): (fresh?: boolean) => Promise<string> {
  let cached: { token: string; until: number } | undefined;
  return async (fresh = false) => {
    const now = props.now();
    if (!fresh && cached && now < cached.until) return cached.token;
    const token = await signToken(props, now);
    cached = { token, until: now + LIFETIME_MS };
    return token;
  };
}

async function signToken({ clusterName, region, credentials }: EksTokenProps, now: number): Promise<string> {
  const hostname = `sts.${region}.${region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'}`;
  const signer = new SignatureV4({ service: 'sts', region, credentials, sha256: Sha256 });
  const signed = await signer.presign(
    {
      method: 'GET',
      protocol: 'https:',
      hostname,
      path: '/',
      query: { Action: 'GetCallerIdentity', Version: '2011-06-15' },
      headers: { host: hostname, 'x-k8s-aws-id': clusterName },
    },
    { expiresIn: 60, signingDate: new Date(now), unhoistableHeaders: new Set(['x-k8s-aws-id']) },
  );
  const query = Object.entries(signed.query ?? {}).map(
    ([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`,
  );
  return PREFIX + Buffer.from(`https://${hostname}/?${query.join('&')}`).toString('base64url');
}
