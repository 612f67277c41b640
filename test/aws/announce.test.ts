import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateEventBusCommand, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { GetFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { Account, type Statement } from '../deploys/account';
import { KubeDoor } from '../deploys/kube-door';
import { FakeNetwork } from '../fakes/fake-network';
import { tempFolder } from '../fakes/temp-folder';
import { startBitingAws } from './biting/biting-aws';
import { type PolicyEvaluator, startPolicyEvaluator } from './biting/policy-evaluator';
import { createCluster } from './harness/aws-clients';
import { bootstrap, cdk } from './harness/cdk';
import { type EmulatedAccount, startAccount } from './harness/emulated-account';
import { type Emulator, REGION } from './harness/emulator';
import { type EventSource, eventSourceOf } from './harness/event-source';
import { queryCall } from './harness/query-call';
import { describeAws } from './harness/shared-installation';

const CONFIG = `
cluster: {name: shop, region: ${REGION}}
nodePools:
  default:
    max: 12
    base: 1
    leadTime: 10m
    events:
      - name: campaign
        pattern: {source: [shop.cms], detail-type: [Campaign Scheduled], detail: {channel: [web, app]}}
        cancel: {source: [shop.cms], detail-type: [Campaign Cancelled]}
        key: $.detail.campaignId
        from: $.detail.startsAt
        to: $.detail.endsAt
        desiredReplicas: 6
      - name: deploy
        bus: pipelines
        pattern: {source: [ci.pipeline], detail-type: [Deployment Started]}
        hold: 30m
        desiredReplicas: 3
`;
const FUNCTION = 'headstart-shop-announce';

describeAws('an announced peak, from the bus to the cluster,', () => {
  const home = tempFolder();
  let emulated: EmulatedAccount;
  let { world, host, emulator, aws }: EmulatedAccount = {} as EmulatedAccount;
  let evaluator: PolicyEvaluator;
  let layer: Awaited<ReturnType<typeof startBitingAws>>;
  let source: EventSource;
  let authorize: (action: string, resource: string) => Promise<void>;
  const asked: string[] = [];
  let logs = '';

  beforeAll(async () => {
    emulated = await startAccount();
    ({ world, host, emulator, aws } = emulated);
    await createCluster(aws.eks, 'shop');
    await aws.events.send(new CreateEventBusCommand({ Name: 'pipelines' }));
    await bootstrap(emulator, home);
    const config = join(home, 'headroom.yaml');
    writeFileSync(config, CONFIG);
    await cdk(emulator, home, 'deploy', '--all', '--require-approval', 'never', '-c', `config=${config}`);
    await useItsRole();
  });
  afterAll(async () => {
    await emulated?.stop();
    await Promise.all([layer?.close(), evaluator?.stop()]);
  });

  /** From here on every call of the function, and of Lambda in its name, needs the policies that were deployed for its role. */
  async function useItsRole() {
    const { Role = '' } = await aws.lambda.send(new GetFunctionConfigurationCommand({ FunctionName: FUNCTION }));
    evaluator = startPolicyEvaluator();
    const account = new Account(Date.now, new FakeNetwork(new Map(), []), async (statements, call) => {
      asked.push(call.action);
      return evaluator.allows(statements, call);
    });
    const policies = new Map([['deployed', await statementsOf(emulator, Role.split('/').pop() ?? '')]]);
    account.roles.set(Role, { arn: Role, createdAt: 0, policies, known: new Set() });
    account.cluster = { id: 'CLUSTER1', status: 'ACTIVE', entries: new Map(), door: new KubeDoor() };
    layer = await startBitingAws({
      emulator,
      account: () => account,
      roleOf: () => Role,
      tagsOf: async () => ({}),
      invoke: async () => ({ failed: true, payload: 'it invokes nothing' }),
    });
    host.environmentOf = (name) => (name === FUNCTION ? { AWS_ENDPOINT_URL: layer.url } : {});
    host.onLog = async (log) => {
      logs += log;
    };
    authorize = (action, resource) => account.authorize({ principal: Role, action, resource });
    source = await eventSourceOf(emulator, aws, FUNCTION, authorize);
  }

  const put = async (Source: string, DetailType: string, detail: object, more: object = {}) => {
    const entry = { Source, DetailType, Detail: JSON.stringify(detail), ...more };
    const { Entries, FailedEntryCount } = await aws.events.send(new PutEventsCommand({ Entries: [entry] }));
    expect({ Entries, FailedEntryCount }).toMatchObject({ FailedEntryCount: 0 });
  };
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const campaign = (campaignId: string, more: object = {}) => ({
    campaignId,
    channel: 'web',
    startsAt: inMinutes(5),
    endsAt: inMinutes(65),
    ...more,
  });
  const replicas = () =>
    (world.find('Deployment', 'headroom-default')?.spec as { readonly replicas?: number } | undefined)?.replicas;

  test('comes through transformer and queue, and its replicas are written', async () => {
    expect(replicas()).toBe(1);
    await put('shop.cms', 'Campaign Scheduled', campaign('black-friday'));
    await put('shop.cms', 'Campaign Scheduled', campaign('other', { channel: 'shelf' }));
    const { bodies, failed } = await source.take();
    expect({ failed, messages: bodies.length }).toEqual({ failed: 0, messages: 1 });
    const { announced, ingestedAt, event } = JSON.parse(bodies[0] ?? '');
    expect(announced).toEqual({ headroom: 'default', event: 'campaign', cancel: false });
    expect(ingestedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(event).toMatchObject({
      source: 'shop.cms',
      account: '123456789012',
      detail: { campaignId: 'black-friday' },
    });
    expect(replicas()).toBe(6);
    expect(asked).toEqual(['sqs:ReceiveMessage', 'sqs:DeleteMessage']);
  });

  test('is taken from its own queue only: IAM is evaluated', async () => {
    await expect(authorize('sqs:ReceiveMessage', source.queueArn)).resolves.toBeUndefined();
    await expect(authorize('sqs:ReceiveMessage', `${source.queueArn}-other`)).rejects.toThrow(/is not authorized/);
    await expect(authorize('sqs:SendMessage', source.queueArn)).rejects.toThrow(/is not authorized/);
  });

  test('is taken back by its key, and only by its own', async () => {
    await put('shop.cms', 'Campaign Cancelled', { campaignId: 'white-friday' }, { Time: new Date(Date.now() + 2_000) });
    await source.take();
    expect(replicas()).toBe(6);
    await put('shop.cms', 'Campaign Cancelled', { campaignId: 'black-friday' }, { Time: new Date(Date.now() + 2_000) });
    await source.take();
    expect(replicas()).toBe(1);
  });

  test('on a bus of its own, without times, it holds from the time of the event', async () => {
    await put('ci.pipeline', 'Deployment Started', { service: 'shop' }, { EventBusName: 'pipelines' });
    await source.take();
    expect(replicas()).toBe(3);
  });

  test('that cannot be read is rejected by its field, counted, and neither tried again nor a dead letter', async () => {
    logs = '';
    await put('shop.cms', 'Campaign Scheduled', campaign('poison', { startsAt: 'next friday' }));
    await expect(source.take()).resolves.toMatchObject({ failed: 0, bodies: [expect.anything()] });
    expect(logs).toContain('event rejected');
    expect(logs).toMatch(/detail\.startsAt/);
    expect(logs).toMatch(/"RejectedEvents":1/);
    expect([await source.waiting(), await source.deadLetters()]).toEqual([0, 0]);
    expect(replicas()).toBe(3);
  });

  test('while the cluster is down, becomes a dead letter, and counts after a redrive', async () => {
    world.refuse = () => 503;
    await put('shop.cms', 'Campaign Scheduled', campaign('outage'));
    let tries = 0;
    while ((await source.take()).failed > 0) tries += 1;
    expect(tries).toBe(24);
    expect([await source.waiting(), await source.deadLetters()]).toEqual([0, 1]);
    world.refuse = () => undefined;
    await source.redrive();
    await expect(source.take()).resolves.toMatchObject({ failed: 0 });
    expect([replicas(), await source.deadLetters()]).toEqual([6, 0]);
  });

  test('finds a cluster whose endpoint has changed, with its own right to ask for it', async () => {
    host.environmentOf = () => ({ AWS_ENDPOINT_URL: layer.url, HEADSTART_ENDPOINT: 'https://127.0.0.1:9' });
    await put('shop.cms', 'Campaign Cancelled', { campaignId: 'outage' }, { Time: new Date(Date.now() + 2_000) });
    await expect(source.take()).resolves.toMatchObject({ failed: 0 });
    expect(asked).toContain('eks:DescribeCluster');
    expect(replicas()).toBe(3);
  });
});

/** The statements of a role's inline policies, as they were deployed. */
async function statementsOf(emulator: Emulator, RoleName: string): Promise<readonly Statement[]> {
  const names = await queryCall(emulator, 'iam', { Action: 'ListRolePolicies', RoleName });
  const policies = [...names.matchAll(/<member>([^<]+)<\/member>/g)].map(async ([, PolicyName = '']) => {
    const text = await queryCall(emulator, 'iam', { Action: 'GetRolePolicy', RoleName, PolicyName });
    const document = /<PolicyDocument>([^<]+)<\/PolicyDocument>/.exec(text)?.[1] ?? '';
    return JSON.parse(decodeURIComponent(document)).Statement as readonly Statement[];
  });
  return (await Promise.all(policies)).flat();
}
