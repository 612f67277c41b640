import { describeCluster } from '../../../../shared/adapters/aws/describe-cluster';
import { dropAccessPolicy, dropOldAccessPolicy } from '../../../../shared/adapters/aws/drop-access-policy';
import { eksConnection } from '../../../../shared/adapters/aws/eks-connection';
import { fakeSdk } from '../../../fakes/fake-sdk';
import { golden } from '../../../golden/golden';

const said = golden(`${__dirname}/eks-calls.txt`);

const answers = { cluster: {} as unknown, drop: () => {}, list: (): unknown => ({}) };
const eks = fakeSdk('EKSClient', {
  DescribeCluster: () => {
    if (answers.cluster instanceof Error) throw answers.cluster;
    return { cluster: answers.cluster };
  },
  DisassociateAccessPolicy: () => answers.drop(),
  ListAssociatedAccessPolicies: () => [answers.list()].flat(),
});
jest.doMock('@aws-sdk/client-eks', () => eks.module);
const signal = { abortSignal: expect.any(AbortSignal) };

beforeEach(() => {
  eks.asked.length = 0;
  eks.clients.length = 0;
});

describe('describeCluster', () => {
  const READY = { endpoint: 'https://demo.eks.amazonaws.com', certificateAuthority: { data: 'Y2E=' } };

  test('asks EKS once or twice, for seconds at most', async () => {
    answers.cluster = READY;
    await describeCluster('demo', 'eu-west-1');
    expect(eks.clients).toEqual([
      {
        region: 'eu-west-1',
        maxAttempts: 2,
        requestHandler: { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
      },
    ]);
    expect(eks.asked).toEqual([{ call: 'DescribeCluster', input: { name: 'demo' }, options: signal }]);
  });

  // What is told is in eks-calls.txt.
  test('tells what the deploy and doctor look at', async () => {
    answers.cluster = {
      ...READY,
      status: 'ACTIVE',
      version: '1.35',
      identity: { oidc: { issuer: 'https://oidc.eks.eu-west-1.amazonaws.com/id/A1B2' } },
      createdAt: new Date('2026-11-16T00:00:00Z'),
      accessConfig: { authenticationMode: 'API' },
      resourcesVpcConfig: {
        vpcId: 'vpc-1',
        clusterSecurityGroupId: 'sg-1',
        endpointPublicAccess: false,
        endpointPrivateAccess: true,
        publicAccessCidrs: ['10.0.0.0/8'],
      },
    };
    said(JSON.stringify(await describeCluster('demo', 'eu-west-1'), null, 1));
  });

  test('takes what EKS leaves out for what EKS creates by default', async () => {
    answers.cluster = READY;
    said(JSON.stringify(await describeCluster('demo', 'eu-west-1'), null, 1));
  });

  test('tells clusters of one name apart by their creation where they have no issuer', async () => {
    answers.cluster = { ...READY, createdAt: new Date('2026-11-16T00:00:00Z') };
    expect((await describeCluster('demo', 'eu-west-1'))?.id).toBe('2026-11-16T00-00-00-000Z');
  });

  test.each([
    { name: 'without an endpoint', cluster: { ...READY, endpoint: undefined, status: 'CREATING' }, status: 'CREATING' },
    { name: 'without a CA', cluster: { ...READY, certificateAuthority: {} }, status: 'unknown' },
    { name: 'without any authority', cluster: { ...READY, certificateAuthority: undefined }, status: 'unknown' },
    { name: 'without anything', cluster: undefined, status: 'unknown' },
  ])('a cluster $name is to be waited for', async ({ cluster, status }) => {
    answers.cluster = cluster;
    await expect(describeCluster('demo', 'eu-west-1')).rejects.toThrow(
      `cluster demo in eu-west-1 has no endpoint (status ${status}); wait for it: aws eks wait cluster-active --name demo --region eu-west-1`,
    );
  });

  test('no such cluster is an answer, any other failure is none', async () => {
    answers.cluster = new eks.ResourceNotFoundException('no cluster');
    expect(await describeCluster('demo', 'eu-west-1')).toBeUndefined();
    answers.cluster = new Error('denied');
    await expect(describeCluster('demo', 'eu-west-1')).rejects.toThrow('denied');
  });

  const props = {
    clusterName: 'demo',
    region: 'eu-west-1',
    credentials: async () => ({ accessKeyId: 'a', secretAccessKey: 'b' }),
    now: () => 0,
  };

  test('a connection whose endpoint is not known asks for it', async () => {
    answers.cluster = READY;
    expect((await eksConnection(props)).server()).toBe('https://demo.eks.amazonaws.com');
  });

  test.each(['first', 'again'])(
    'a cluster that is gone when it is asked for %s is named with what to check',
    async (when) => {
      answers.cluster = new eks.ResourceNotFoundException('no cluster');
      const known = { server: 'https://old', caBase64: 'Y2E=' };
      const connected = eksConnection({ ...props, ...(when === 'again' && { known }) });
      await expect(connected.then((connection) => connection.rediscover?.(9))).rejects.toMatchObject({
        name: 'ClusterNotFoundError',
        message:
          'no cluster demo in eu-west-1; check cluster.name and cluster.region: aws eks list-clusters --region eu-west-1',
      });
    },
  );
});

describe('dropAccessPolicy', () => {
  const entry = { clusterName: 'demo', principalArn: 'arn:role' };
  const drop = () => dropAccessPolicy({ ...entry, region: 'eu-west-1', policyArn: 'arn:admin' }, Date.now() + 9_000);
  const fails = (error: Error) => () => {
    throw error;
  };
  const lists =
    (...arns: string[]) =>
    () => ({ associatedAccessPolicies: arns.map((policyArn) => ({ policyArn })) });
  const gone = new eks.ResourceNotFoundException('gone');
  const denied = new Error('denied');
  const asks = (call: string, input: object) => ({ call, input, options: signal });
  const dropped = asks('DisassociateAccessPolicy', { ...entry, policyArn: 'arn:admin' });
  const listed = asks('ListAssociatedAccessPolicies', entry);

  test.each([
    { name: 'that is there', first: () => {}, list: fails(denied), calls: [dropped] },
    { name: 'that is gone already', first: fails(gone), list: fails(denied), calls: [dropped] },
    { name: 'that is not listed any more', first: fails(denied), list: lists('arn:view'), calls: [dropped, listed] },
    { name: 'of an entry without policies', first: fails(denied), list: () => ({}), calls: [dropped, listed] },
    { name: 'of an entry that is gone', first: fails(denied), list: fails(gone), calls: [dropped, listed] },
  ])('a policy $name is gone afterwards', async ({ first, list, calls }) => {
    Object.assign(answers, { drop: first, list });
    await drop();
    expect(eks.asked).toEqual(calls);
    expect(eks.clients).toEqual([{ region: 'eu-west-1' }]);
  });

  test.each([
    { name: 'is still listed', list: lists('arn:view', 'arn:admin') },
    { name: 'is still listed, on the second page', list: () => [lists('arn:view')(), lists('arn:admin')()] },
    { name: 'cannot be listed', list: fails(new Error('throttled')) },
  ])('a policy that could not be dropped and $name is an error, the first one', async ({ list }) => {
    Object.assign(answers, { drop: fails(denied), list });
    await expect(drop()).rejects.toBe(denied);
  });
});

describe('dropOldAccessPolicy', () => {
  const entry = { clusterName: 'demo', principalArn: 'arn:role' };
  const [old, young] = [new Date('2026-11-16T00:00:00Z'), new Date('2026-11-16T00:00:01Z')];
  const drop = () =>
    dropOldAccessPolicy({ ...entry, region: 'eu-west-1', policyArn: 'arn:admin' }, young.getTime(), Date.now() + 9_000);
  const listed = { call: 'ListAssociatedAccessPolicies', input: entry, options: signal };
  const dropped = {
    call: 'DisassociateAccessPolicy',
    input: { ...entry, policyArn: 'arn:admin' },
    options: signal,
  };
  const added = { policyArn: 'arn:added-by-a-person', associatedAt: old };

  test.each([
    { name: 'an old one is dropped', policies: [added, { policyArn: 'arn:admin', associatedAt: old }], drops: true },
    { name: 'a young one stays', policies: [added, { policyArn: 'arn:admin', associatedAt: young }], drops: false },
    { name: 'one of unknown age stays', policies: [{ policyArn: 'arn:admin' }], drops: false },
    { name: 'another policy stays, however old', policies: [added], drops: false },
    { name: 'an entry without policies stays', policies: undefined, drops: false },
  ])('$name', async ({ policies, drops }) => {
    Object.assign(answers, { drop: () => {}, list: () => ({ associatedAccessPolicies: policies }) });
    expect(await drop()).toBe(drops ? old.toISOString() : undefined);
    expect(eks.asked).toEqual(drops ? [listed, dropped] : [listed]);
  });

  test('an old one on the second page is dropped', async () => {
    const pages = [added, { policyArn: 'arn:admin', associatedAt: old }];
    Object.assign(answers, { drop: () => {}, list: () => pages.map((one) => ({ associatedAccessPolicies: [one] })) });
    expect(await drop()).toBe(old.toISOString());
  });

  test('an entry that is gone has no policy to drop; any other error is thrown', async () => {
    const fails = (error: Error) => () => {
      throw error;
    };
    answers.list = fails(new eks.ResourceNotFoundException('gone'));
    expect(await drop()).toBeUndefined();
    const denied = new Error('denied');
    answers.list = fails(denied);
    await expect(drop()).rejects.toBe(denied);
  });
});
