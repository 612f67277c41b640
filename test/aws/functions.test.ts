import { join } from 'node:path';
import { PutMetricAlarmCommand, SetAlarmStateCommand } from '@aws-sdk/client-cloudwatch';
import { BUNDLE_HANDLER, type BundleOptions, bundleTo } from '../../infra/bundling/bundling';
import { clusterObjects } from '../../shared/core/manifests/cluster-object-manifests';
import { loadEvent } from '../events/load-event';
import { configOf } from '../fakes/fake-runtime';
import { TEST_CA } from '../fakes/loopback-server';
import { tempFolder } from '../fakes/temp-folder';
import { type KubeWorld, kubeWorld } from '../lambdas/deploy/kube-world';
import { awsClients, createCluster } from './harness/aws-clients';
import { type Emulator, startEmulator } from './harness/emulator';
import { type LambdaProcess, startLambda } from './harness/lambda-process';
import { describeAws } from './harness/shared-installation';

const config = configOf(`
  service:
    max: 12
    base: 2
    alarms: [{alarmName: p95-high, add: 3, hold: 10m}]
    interruptions: {surge: 1, max: 4, hold: 10m, on: [spot, rebalance, capacityReservation, health, stateChange]}
`);
const INSTANCE = 'i-0a1b2c3d4e5f60001';

describeAws('a bundled function, started by the Lambda runtime interface client,', () => {
  const folder = tempFolder();
  let emulator: Emulator;
  let world: KubeWorld;
  let lambda: LambdaProcess | undefined;

  beforeAll(async () => {
    world = await kubeWorld({ tls: true });
    const caBase64 = TEST_CA.toString('base64');
    emulator = await startEmulator({ kube: { url: world.url, caBase64 } });
    const { cloudWatch, eks } = awsClients(emulator);
    await createCluster(eks, 'demo');
    const alarm = { AlarmName: 'p95-high', ComparisonOperator: 'GreaterThanThreshold', EvaluationPeriods: 1 } as const;
    await cloudWatch.send(
      new PutMetricAlarmCommand({
        ...alarm,
        Namespace: 'AWS/SQS',
        MetricName: 'x',
        Period: 60,
        Statistic: 'Sum',
        Threshold: 1,
      }),
    );
    await cloudWatch.send(
      new SetAlarmStateCommand({ AlarmName: 'p95-high', StateValue: 'ALARM', StateReason: 'test' }),
    );
    for (const manifest of clusterObjects('headroom').slice(0, 2)) world.put(manifest);
    world.put({
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodeClaim',
      metadata: { name: 'service-abc', labels: { 'karpenter.sh/nodepool': 'service' } },
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'service' },
        requirements: [],
      },
      status: { providerID: `aws:///ap-northeast-2a/${INSTANCE}` },
    });
  });
  afterAll(async () => {
    await Promise.all([emulator?.stop(), world?.close()]);
  });
  afterEach(async () => {
    await lambda?.stop();
    lambda = undefined;
  });

  async function start(entry: string, options: BundleOptions = { config }): Promise<LambdaProcess> {
    const bundle = join(folder, entry);
    bundleTo(bundle, entry, options);
    lambda = await startLambda({
      folder: bundle,
      handler: BUNDLE_HANDLER,
      environment: {
        ...emulator.environment,
        HEADSTART_ENDPOINT: world.url,
        HEADSTART_CLUSTER: 'demo',
        HEADSTART_OWNER: '123456789012/eu-west-1/demo/headroom/headstart-demo',
        HEADSTART_CA: TEST_CA.toString('base64'),
      },
    });
    return lambda;
  }
  const spec = () => world.find('Deployment', 'headroom-service')?.spec;
  const now = () => new Date().toISOString();

  test('reconcile answers window edges, heartbeats and deploys', async () => {
    const { run } = await start('runtime/reconcile');
    for (const name of ['window-edge', 'heartbeat', 'deploy']) {
      const { failed, payload } = await run(loadEvent(name, { time: now() }));
      expect({ name, failed }).toEqual({ name, failed: false });
      expect(payload).toMatchObject({ decisions: [{ headroom: 'service', replicas: 5 }] });
    }
    expect(spec()).toMatchObject({ replicas: 5 });
  });

  test('alarm answers metric and composite alarms', async () => {
    const { run } = await start('runtime/alarm');
    for (const name of ['alarm-state-change', 'alarm-composite-alarm', 'alarm-metric-ok']) {
      const { failed, payload } = await run(loadEvent(name));
      expect({ name, failed }).toEqual({ name, failed: false });
      expect(payload).toMatchObject({ decisions: [{ headroom: 'service', replicas: 5 }] });
    }
  });

  test('interruption answers a batch with every kind of notice', async () => {
    const { run } = await start('runtime/interruption');
    const names = [
      'spot-interruption',
      'rebalance-recommendation',
      'capacity-reservation',
      'health-scheduled-change',
      'instance-state-change',
    ];
    const Records = names.map((name) => ({ messageId: name, body: JSON.stringify(loadEvent(name, { time: now() })) }));
    const broken = { messageId: 'broken', body: '{' };
    await expect(run({ Records: [...Records, broken] })).resolves.toEqual({
      failed: false,
      payload: { batchItemFailures: [] },
    });
    // One instance, however often it is announced.
    expect(spec()).toMatchObject({ replicas: 6 });
  });
});
