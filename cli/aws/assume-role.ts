import { type AwsCredentials, presign } from '../../shared/adapters/aws/presign';
import { httpRequest } from '../../shared/adapters/http/http-request';
import { dnsSuffix } from '../../shared/core/basics/dns-suffix';
import { roleArnOf } from '../../shared/core/basics/iam-role';
import type { ClusterConfig } from '../../shared/core/config/config';
import { InputError } from '../terminal/exit';

export interface RoleOptions {
  /** The name or ARN of a role in the account of the cluster; without it the credentials of this shell are used. */
  readonly role?: string;
}

/** What SDK clients take as `credentials`. */
export type Assumed = AwsCredentials & { readonly expiration: Date };

const [TIMEOUT_MS, SESSION] = [8_000, 'headstart'];
const PARTITIONS: readonly (readonly [RegExp, string])[] = [
  [/^cn-/, 'aws-cn'],
  [/^us-gov-/, 'aws-us-gov'],
];

/** What SDK clients are made for: the region of a cluster, and the role in its account if one is assumed. */
export interface AwsPlace {
  readonly region: string;
  readonly credentials?: Assumed;
}

export async function placeOf(role: RoleOptions, cluster: ClusterConfig): Promise<AwsPlace> {
  return { region: cluster.region, ...(await credentialsFor(role, cluster)) };
}

/** Settings of SDK clients for the account of a cluster: none, or the credentials of the role there. */
export async function credentialsFor(
  { role }: RoleOptions,
  { name, region, account }: Pick<ClusterConfig, 'name' | 'region' | 'account'>,
): Promise<{ readonly credentials?: Assumed }> {
  if (role === undefined) return {};
  if (account === undefined && !role.startsWith('arn:'))
    throw new InputError(`--role ${role}: cluster ${name} has no cluster.account; add it to its config`);
  const partition = PARTITIONS.find(([regions]) => regions.test(region))?.[1] ?? 'aws';
  return { credentials: await assumeRole(roleArnOf(role, { partition, account: account ?? '' }), region) };
}

/** One signed call: another SDK client for one action would be a package more. */
async function assumeRole(RoleArn: string, region: string): Promise<Assumed> {
  const { LambdaClient } = await import('@aws-sdk/client-lambda');
  const own = await new LambdaClient({ region }).config.credentials();
  const { AWS_ENDPOINT_URL_STS: given, AWS_ENDPOINT_URL: any } = process.env;
  const url = new URL(given ?? any ?? `https://sts.${region}.${dnsSuffix(region)}`);
  const query = { Action: 'AssumeRole', Version: '2011-06-15', RoleArn, RoleSessionName: SESSION };
  const signed = presign({ service: 'sts', region, url, query, expiresSeconds: 60 }, own, Date.now());
  const ask = () => httpRequest(signed, { method: 'GET', headers: {}, timeoutMs: TIMEOUT_MS });
  // A connection that was kept open may be gone.
  const { status, body } = await ask().catch(ask);
  const field = (name: string) => new RegExp(`<${name}>([^<]+)</${name}>`).exec(body)?.[1] ?? '';
  if (status !== 200) {
    const why = `${field('Code') || status}: ${field('Message') || body.slice(0, 200)}`;
    throw new Error(`AWS refuses to assume ${RoleArn} (${why}); check its trust policy and cluster.account`);
  }
  return {
    accessKeyId: field('AccessKeyId'),
    secretAccessKey: field('SecretAccessKey'),
    sessionToken: field('SessionToken'),
    expiration: new Date(field('Expiration')),
  };
}
