import { handleClusterEndpoint } from '../../../lambdas/deploy/handlers/handle-cluster-endpoint';
import { customResource } from '../../../lambdas/deploy/protocol/custom-resource';
import type { ClusterDescription } from '../../../shared/adapters/aws/describe-cluster';
import { messageOf } from '../../../shared/core/basics/errors';
import { golden } from '../../golden/golden';
import { OPEN } from './facts';
import { awsError, fakeClock, memoryLog, request } from './requests';

const said = golden(`${__dirname}/cluster-endpoint.txt`);
const describing = (facts: Partial<ClusterDescription>) => async () => ({ ...OPEN, ...facts });
type Describe = (name: string, region: string) => Promise<ClusterDescription | undefined>;
const portsOf = (describe: Describe, clock = fakeClock()) => ({
  describe,
  now: clock.now,
  sleep: clock.sleep,
  log: memoryLog(),
  deadline: Number.POSITIVE_INFINITY,
});

test('hands on how the cluster is reached', async () => {
  const asked: string[] = [];
  const describe = async (name: string, region: string) => {
    asked.push(`${name} ${region}`);
    return OPEN;
  };
  await expect(handleClusterEndpoint(request('Create'), portsOf(describe))).resolves.toEqual({
    physicalResourceId: 'cluster-endpoint-demo',
    data: {
      ClusterId: 'ABCDEF',
      Endpoint: OPEN.server,
      CertificateAuthority: 'Q0E=',
      SecurityGroupId: 'sg-0c2d',
      VpcId: 'vpc-0a1b',
      Version: '1.35',
      AuthenticationMode: 'API_AND_CONFIG_MAP',
    },
  });
  expect(asked).toEqual(['demo ap-northeast-2']);
});

test('a response with a real certificate fits into the 4 KB that CloudFormation takes', async () => {
  const { data } = await handleClusterEndpoint(request('Create'), portsOf(describing({ caBase64: 'A'.repeat(1_600) })));
  expect(JSON.stringify(data).length).toBeLessThan(3_000);
});

const CONFIG_MAP = { authenticationMode: 'CONFIG_MAP' };
test.each([
  { name: 'a cluster that is not there', describe: async () => undefined },
  { name: 'access entries in mode CONFIG_MAP', describe: describing(CONFIG_MAP) },
  { name: 'a private endpoint without vpc', describe: describing({ publicAccess: false }) },
  { name: 'both', describe: describing({ ...CONFIG_MAP, publicAccess: false }) },
  { name: 'a cluster that is being deleted', describe: describing({ status: 'DELETING' }) },
])('stops the deploy for $name', async ({ name, describe }) => {
  const failure = handleClusterEndpoint(request('Create'), portsOf(describe));
  said(name, await failure.then(JSON.stringify, messageOf));
});

test.each([
  { name: 'CONFIG_MAP with manual access', properties: { access: 'manual' }, facts: CONFIG_MAP },
  { name: 'a private endpoint from the VPC', properties: { placed: 'true' }, facts: { publicAccess: false } },
  { name: 'a public endpoint that admits some addresses', properties: {}, facts: { publicCidrs: ['203.0.113.0/24'] } },
  { name: 'a cluster that is being updated', properties: {}, facts: { status: 'UPDATING' } },
])('goes on with $name', async ({ properties, facts }) => {
  const response = handleClusterEndpoint(request('Create', properties), portsOf(describing(facts)));
  await expect(response).resolves.toMatchObject({ data: { Endpoint: OPEN.server } });
});

test('a refusal while an update is rolled back still says how the cluster is reached, since others need it', async () => {
  const sent: string[] = [];
  const send = async (_url: string, body: string) => {
    sent.push(body);
  };
  const handler = customResource(
    (event) => handleClusterEndpoint(event, portsOf(describing({ publicAccess: false }))),
    {
      send,
      stackStatus: async () => 'UPDATE_ROLLBACK_IN_PROGRESS',
      log: memoryLog(),
    },
  );
  await handler(request('Update'));
  expect(sent.map((body) => JSON.parse(body))).toMatchObject([
    {
      Status: 'SUCCESS',
      Data: { Endpoint: OPEN.server, CertificateAuthority: 'Q0E=', SecurityGroupId: 'sg-0c2d', VpcId: 'vpc-0a1b' },
    },
  ]);
});

test('deleting asks nobody', async () => {
  const describe = async () => Promise.reject(new Error('not asked'));
  await expect(handleClusterEndpoint(request('Delete'), portsOf(describe))).resolves.toEqual({
    physicalResourceId: 'thing',
  });
});

test('a right that is never given fails the deploy with the reason, within two minutes', async () => {
  const clock = fakeClock();
  const describe = async () => Promise.reject(awsError('AccessDeniedException', 'not authorized'));
  await expect(handleClusterEndpoint(request('Create'), portsOf(describe, clock))).rejects.toThrow('not authorized');
  expect(clock.passed()).toBeLessThanOrEqual(120_000);
});
