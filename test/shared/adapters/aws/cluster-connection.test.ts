import { clusterConnection, credentialsFrom } from '../../../../shared/adapters/aws/cluster-connection';
import { defaultProvider } from '../../../../shared/adapters/aws/lambda-credentials';
import { fakeSdk } from '../../../fakes/fake-sdk';

const KEYS = { AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: 'secret' };
const DEPLOYED = { HEADSTART_ENDPOINT: 'https://deployed', HEADSTART_CA: 'Y2E=' };
const NOW = Date.parse('2026-11-16T03:00:00Z');

describe('clusterConnection', () => {
  const described = { endpoint: 'https://described', certificateAuthority: { data: 'bmV3' } };
  jest.doMock(
    '@aws-sdk/client-eks',
    () => fakeSdk('EKSClient', { DescribeCluster: () => ({ cluster: described }) }).module,
  );
  const connect = (environment: Readonly<Record<string, string>>) =>
    clusterConnection({ name: 'demo', region: 'eu-west-1' }, environment, () => NOW);

  test.each([
    { name: 'both', environment: DEPLOYED, reached: ['https://deployed', 'ca'] },
    { name: 'no CA', environment: { ...DEPLOYED, HEADSTART_CA: '' }, reached: ['https://described', 'new'] },
    { name: 'no endpoint', environment: { HEADSTART_CA: 'Y2E=' }, reached: ['https://described', 'new'] },
  ])('reaches the cluster that the deploy read, or asks EKS: $name', async ({ environment, reached }) => {
    const { server, tls } = await connect(environment);
    expect([server(), tls().ca?.toString()]).toEqual(reached);
  });

  test("signs with the role's credentials, for this cluster", async () => {
    const { authorization = '' } = await (await connect({ ...DEPLOYED, ...KEYS })).authorize(false);
    const [, token = ''] = /^Bearer k8s-aws-v1\.(.*)$/.exec(authorization) ?? [];
    const { host, searchParams } = new URL(Buffer.from(token, 'base64url').toString());
    expect(host).toBe('sts.eu-west-1.amazonaws.com');
    expect(Object.fromEntries(searchParams)).toMatchObject({
      Action: 'GetCallerIdentity',
      Version: '2011-06-15',
      'X-Amz-Credential': 'AKID/20261116/eu-west-1/sts/aws4_request',
      'X-Amz-Date': '20261116T030000Z',
    });
  });

  test('signs anew for each call that needs a fresh token', async () => {
    let now = NOW;
    const cluster = { name: 'demo', region: 'eu-west-1' };
    const { authorize } = await clusterConnection(cluster, { ...DEPLOYED, ...KEYS }, () => now);
    const first = await authorize(false);
    now += 1_000;
    expect(await authorize(false)).toEqual(first);
    expect(await authorize(true)).not.toEqual(first);
  });
});

describe('credentials in Lambda', () => {
  const before = process.env;
  const readers = {
    'by our own calls': async () => credentialsFrom(process.env),
    "by the SDK's clients": defaultProvider(),
  };
  const keys = { accessKeyId: 'AKID', secretAccessKey: 'secret' };
  const role = { environment: { ...KEYS, AWS_SESSION_TOKEN: 'token' }, found: { ...keys, sessionToken: 'token' } };
  const user = { environment: { ...KEYS, AWS_SESSION_TOKEN: '' }, found: keys };
  afterEach(() => {
    process.env = before;
  });

  test.each(Object.entries(readers))('are those in the environment, read anew %s', async (_name, read) => {
    for (const { environment, found } of [role, user]) {
      process.env = environment;
      expect(await read()).toEqual(found);
    }
    for (const missing of Object.keys(KEYS)) {
      process.env = { ...KEYS, [missing]: '' };
      await expect(read()).rejects.toThrow('no AWS credentials in the environment');
    }
  });

  test('that are missing are named', () => {
    expect(() => credentialsFrom({})).toThrow(
      'no AWS credentials in the environment: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are required',
    );
  });
});
