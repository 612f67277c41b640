import { createHash, createHmac } from 'node:crypto';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { eksToken } from '../../../../shared/adapters/aws/eks-token';

const NOW = Date.parse('2026-11-16T03:00:00Z');
const KEYS = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  sessionToken: 'session/token+==',
};
/** What EKS accepts, and nothing else. */
const ALLOWED = [
  'Action',
  'Version',
  'X-Amz-Algorithm',
  'X-Amz-Credential',
  'X-Amz-Date',
  'X-Amz-Expires',
  'X-Amz-Security-Token',
  'X-Amz-Signature',
  'X-Amz-SignedHeaders',
];

async function urlFor(region = 'ap-northeast-2', keys: typeof KEYS | Omit<typeof KEYS, 'sessionToken'> = KEYS) {
  const token = await eksToken({ clusterName: 'demo', region, credentials: async () => keys, now: () => NOW })();
  expect(token).toMatch(/^k8s-aws-v1\.[A-Za-z0-9_-]+$/);
  return new URL(Buffer.from(token.slice('k8s-aws-v1.'.length), 'base64url').toString());
}

/** SigV4 by the book, written for this test alone. */
function signatureOf(url: URL): string {
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const query = [...url.searchParams]
    .filter(([key]) => key !== 'X-Amz-Signature')
    .map(([key, value]) => `${encode(key)}=${encode(value)}`)
    .sort()
    .join('&');
  const headers = `host:${url.host}\nx-k8s-aws-id:demo\n`;
  const emptyHash = createHash('sha256').update('').digest('hex');
  const request = ['GET', '/', query, headers, 'host;x-k8s-aws-id', emptyHash].join('\n');
  const [, day, region, service, end] = (url.searchParams.get('X-Amz-Credential') ?? '').split('/');
  const scope = [day, region, service, end].join('/');
  const text = [
    'AWS4-HMAC-SHA256',
    url.searchParams.get('X-Amz-Date'),
    scope,
    createHash('sha256').update(request).digest('hex'),
  ].join('\n');
  const key = [day, region, service, end].reduce<Buffer | string>(
    (secret, part) =>
      createHmac('sha256', secret)
        .update(part ?? '')
        .digest(),
    `AWS4${KEYS.secretAccessKey}`,
  );
  return createHmac('sha256', key).update(text).digest('hex');
}

describe('eksToken', () => {
  test('has only the parameters that EKS accepts, and signs the cluster name as a header', async () => {
    const url = await urlFor();
    expect([...url.searchParams.keys()].sort()).toEqual(ALLOWED);
    expect(url.searchParams.get('X-Amz-SignedHeaders')).toBe('host;x-k8s-aws-id');
    expect(url.searchParams.get('X-Amz-Expires')).toBe('60');
    expect(url.host).toBe('sts.ap-northeast-2.amazonaws.com');
  });

  test('carries the signature that AWS computes', async () => {
    const url = await urlFor();
    expect(url.searchParams.get('X-Amz-Signature')).toBe(signatureOf(url));
  });

  test('leaves the session token out where there is none', async () => {
    const { sessionToken: _none, ...longLived } = KEYS;
    const url = await urlFor('ap-northeast-2', longLived);
    expect(url.searchParams.has('X-Amz-Security-Token')).toBe(false);
  });

  test.each([
    { region: 'cn-north-1', suffix: 'amazonaws.com.cn' },
    { region: 'us-gov-west-1', suffix: 'amazonaws.com' },
    { region: 'eusc-de-east-1', suffix: 'amazonaws.eu' },
    { region: 'us-iso-east-1', suffix: 'c2s.ic.gov' },
    { region: 'us-isob-east-1', suffix: 'sc2s.sgov.gov' },
    { region: 'us-isof-south-1', suffix: 'csp.hci.ic.gov' },
    { region: 'eu-isoe-west-1', suffix: 'cloud.adc-e.uk' },
  ])("asks the STS of $region's own partition, as CDK knows it", async ({ region, suffix }) => {
    expect((await urlFor(region)).host).toBe(`sts.${region}.${suffix}`);
    expect(RegionInfo.get(region).domainSuffix).toBe(suffix);
  });

  test('is kept for 14 minutes, and made anew on request', async () => {
    let [now, signed] = [NOW, 0];
    const credentials = async () => {
      signed += 1;
      return KEYS;
    };
    const token = eksToken({ clusterName: 'demo', region: 'ap-northeast-2', credentials, now: () => now });
    const first = await token();
    now += 13 * 60_000;
    expect(await token()).toBe(first);
    now += 60_000;
    expect(await token()).not.toBe(first);
    const signedBefore = signed;
    await token(true);
    expect(signed).toBeGreaterThan(signedBefore);
  });
});
