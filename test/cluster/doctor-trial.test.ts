import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { PutMetricAlarmCommand, SetAlarmStateCommand } from '@aws-sdk/client-cloudwatch';
import { InvokeCommand, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { CreateScheduleCommand, CreateScheduleGroupCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { processTerminal } from '../../cli/terminal/terminal';
import { KARPENTER_NODEPOOL_LABEL, runtimeGroup } from '../../shared/core/basics/names';
import { heartbeat, tickEvent } from '../../shared/core/events/heartbeat-and-edges';
import { clusterObjects } from '../../shared/core/manifests/cluster-object-manifests';
import { awsClients, createCluster } from '../aws/harness/aws-clients';
import { bootstrap, cdk } from '../aws/harness/cdk';
import { ACCOUNT, CREDENTIALS, type Emulator, REGION, startEmulator } from '../aws/harness/emulator';
import { type FunctionHost, openFunctionHost } from '../aws/harness/function-host';
import { describeAws } from '../aws/harness/shared-installation';
import { useEnvironment } from '../aws/harness/use-environment';
import { fakeTerminal, runCli } from '../cli/run-cli';
import { tempFolder } from '../fakes/temp-folder';
import { emfToCloudWatch } from './functions/emf-to-cloudwatch';
import type { Cluster } from './harness/cluster';
import { nodePool } from './harness/manifests';
import { describeCluster, sharedCluster } from './harness/shared-cluster';
import { type NodeClaim, PATIENCE_MS, SEVERAL_TYPES } from './workload/pool';

jest.setTimeout(2 * PATIENCE_MS);

const CLUSTER = 'live-proof';
const STACK = `Headstart-${CLUSTER}-${REGION}`;

/** The whole product: deployed by the CDK on the emulated AWS, its functions talking to a real control plane. */
describeAws('with an emulated AWS', () => {
  describeCluster('headstart doctor --try', () => {
    const home = tempFolder();
    const config = join(home, 'headroom.yaml');
    const namespace = `headroom-${randomUUID().slice(0, 8)}`;
    const [room, floor] = [`room-${randomUUID().slice(0, 8)}`, `floor-${randomUUID().slice(0, 8)}`];
    let cluster: Cluster;
    let host: FunctionHost;
    let emulator: Emulator;
    let aws: ReturnType<typeof awsClients>;
    let leaveEnvironment: () => void = () => {};

    beforeAll(async () => {
      cluster = await sharedCluster();
      for (const name of [room, floor]) await cluster.admin.apply(nodePool({ name, instanceTypes: SEVERAL_TYPES }));
      // A person applies the objects, so that the functions have no more than their own rights.
      for (const manifest of clusterObjects(namespace)) await cluster.admin.apply(manifest);
      cluster.addAccessEntry(CREDENTIALS.accessKeyId, {
        username: 'headstart-live',
        groups: [runtimeGroup(namespace)],
      });
      host = await openFunctionHost();
      const kube = { url: cluster.server, caBase64: Buffer.from(cluster.ca).toString('base64') };
      emulator = await startEmulator({ functionHost: host, kube });
      host.environment = emulator.environment;
      aws = awsClients(emulator);
      host.onLog = (log) => emfToCloudWatch(aws.cloudWatch, log);
      leaveEnvironment = useEnvironment({
        ...emulator.environment,
        AWS_CONFIG_FILE: join(home, 'config'),
        AWS_SHARED_CREDENTIALS_FILE: join(home, 'credentials'),
      });
      await createCluster(aws.eks, CLUSTER);
      writeFileSync(
        config,
        JSON.stringify({
          cluster: { name: CLUSTER, region: REGION, namespace, access: 'manual' },
          nodePools: {
            [room]: { max: 2, price: 0.2, unit: { node: { cpu: 1, memory: '1Gi' } } },
            [floor]: { max: 1, unit: { floor: { cpu: 2 } } },
          },
        }),
      );
      await bootstrap(emulator, home);
      await cdk(emulator, home, 'deploy', '--all', '--require-approval', 'never', '-c', `config=${config}`);
      await beat();
      await makeWhatIsOnlyRecorded(emulator);
    });

    afterAll(async () => {
      leaveEnvironment();
      await emulator?.stop();
      await host?.close();
      await cluster?.admin.remove(`/api/v1/namespaces/${namespace}`);
      for (const name of [room, floor]) await cluster?.admin.remove(`/apis/karpenter.sh/v1/nodepools/${name}`);
    });

    /** The first heartbeat, which EventBridge Scheduler would send within a minute. */
    async function beat(): Promise<void> {
      const { Functions = [] } = await aws.lambda.send(new ListFunctionsCommand({}));
      const FunctionName = Functions.map(({ FunctionName: name = '' }) => name).find((name) => /reconcile/i.test(name));
      const event = tickEvent(heartbeat, new Date().toISOString());
      const { FunctionError } = await aws.lambda.send(
        new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) }),
      );
      expect(FunctionError).toBeUndefined();
    }

    /** moto keeps only a record of alarms and schedules that a stack makes: here they become real ones. */
    async function makeWhatIsOnlyRecorded({ url }: Emulator): Promise<void> {
      for (const AlarmName of await alarmNames()) {
        const alarm = { ComparisonOperator: 'GreaterThanThreshold', EvaluationPeriods: 1, Period: 60 } as const;
        const metric = { Namespace: 'Headstart', MetricName: 'Errors', Statistic: 'Sum', Threshold: 1 } as const;
        await aws.cloudWatch.send(new PutMetricAlarmCommand({ AlarmName, ...alarm, ...metric }));
        const fine = { AlarmName, StateValue: 'OK', StateReason: 'test' } as const;
        await aws.cloudWatch.send(new SetAlarmStateCommand(fine));
      }
      const settings = { region: REGION, endpoint: url, credentials: CREDENTIALS };
      const scheduler = new SchedulerClient(settings);
      await scheduler.send(new CreateScheduleGroupCommand({ Name: STACK }));
      await scheduler.send(
        new CreateScheduleCommand({
          Name: 'heartbeat',
          GroupName: STACK,
          State: 'ENABLED',
          ScheduleExpression: 'rate(1 minute)',
          FlexibleTimeWindow: { Mode: 'OFF' },
          Target: {
            Arn: `arn:aws:lambda:${REGION}:${ACCOUNT}:function:headstart-${CLUSTER}-reconcile`,
            RoleArn: `arn:aws:iam::${ACCOUNT}:role/scheduler`,
          },
        }),
      );
    }

    const { sleep } = processTerminal();
    const terminal = () => fakeTerminal({ now: Date.now, sleep, width: 120 });
    const live = (pool: string) =>
      runCli(['doctor', '--try', pool, '--yes', '--timeout', '5m', '-c', config], terminal());
    const claimsOf = async (pool: string) => {
      const all = await cluster.admin.list<NodeClaim>('/apis/karpenter.sh/v1/nodeclaims');
      return all.filter(({ metadata }) => metadata.labels?.[KARPENTER_NODEPOOL_LABEL] === pool).length;
    };

    test.each([
      ['room', () => room],
      ['a floor', () => floor],
    ])('buys one node of %s through the deployed function, and releases it', async (_kind, poolOf) => {
      const pool = poolOf();
      const { code, out, err } = await live(pool);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      for (const what of ['function', 'override', 'record', 'nodes', 'metrics', 'alarms', 'dead letters', 'release'])
        expect(out).toMatch(new RegExp(`^  ok +${what} `, 'm'));
      expect(out).toContain(`${pool}: 0 → 1`);
      expect(out).toContain(`${pool} is back at 0`);
      expect(out).toMatch(/\nit works\n$/);
      expect(await claimsOf(pool)).toBeLessThanOrEqual(1);
    });

    async function alarmNames(): Promise<readonly string[]> {
      const client = new CloudFormationClient({ region: REGION, endpoint: emulator.url, credentials: CREDENTIALS });
      const names: string[] = [];
      for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName: STACK }))
        for (const { ResourceType, PhysicalResourceId = '' } of StackResourceSummaries)
          if (ResourceType === 'AWS::CloudWatch::Alarm') names.push(PhysicalResourceId);
      return names;
    }
  });
});
