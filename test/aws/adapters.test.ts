import { PutMetricAlarmCommand, SetAlarmStateCommand } from '@aws-sdk/client-cloudwatch';
import { cloudWatchAlarms } from '../../shared/adapters/aws/cloudwatch-alarms';
import { describeCluster } from '../../shared/adapters/aws/describe-cluster';
import { stackStatus } from '../../shared/adapters/aws/stack-status';
import { awsClients, createCluster } from './harness/aws-clients';
import { ACCOUNT, CREDENTIALS, type Emulator, REGION, startEmulator } from './harness/emulator';
import { queryCall } from './harness/query-call';
import { describeAws } from './harness/shared-installation';
import { useEnvironment } from './harness/use-environment';

describeAws('the code that talks to AWS', () => {
  let emulator: Emulator;
  let restore: () => void;

  beforeAll(async () => {
    emulator = await startEmulator();
    restore = useEnvironment(emulator.environment);
  });
  afterAll(async () => {
    restore?.();
    await emulator?.stop();
  });

  describe('alarm states', () => {
    const names = Array.from({ length: 230 }, (_, index) => `alarm-${index}`);

    beforeAll(async () => {
      const { cloudWatch } = awsClients(emulator);
      const metric = { Namespace: 'AWS/SQS', MetricName: 'x', Period: 60, Statistic: 'Sum', Threshold: 1 } as const;
      for (const AlarmName of names)
        await cloudWatch.send(
          new PutMetricAlarmCommand({
            ...metric,
            AlarmName,
            ComparisonOperator: 'GreaterThanThreshold',
            EvaluationPeriods: 1,
          }),
        );
      // The emulator has no PutCompositeAlarm; with a rule, this makes one. It lists them even where no type is asked for.
      await queryCall(emulator, 'monitoring', {
        Action: 'PutMetricAlarm',
        AlarmName: 'composite',
        AlarmRule: 'ALARM("alarm-0")',
        EvaluationPeriods: '1',
        ComparisonOperator: 'GreaterThanThreshold',
      });
      for (const [AlarmName, StateValue] of [
        ['alarm-0', 'OK'],
        ['alarm-229', 'ALARM'],
      ] as const)
        await cloudWatch.send(new SetAlarmStateCommand({ AlarmName, StateValue, StateReason: 'test' }));
    });

    const read = (alarmNames: readonly string[]) =>
      cloudWatchAlarms({ region: REGION, endpoint: emulator.url }).read(alarmNames);

    test('come for more alarms than one call takes', async () => {
      const readings = await read(names);
      expect([...readings.keys()].sort()).toEqual([...names].sort());
      expect(readings.get('alarm-0')?.state).toBe('OK');
      expect(readings.get('alarm-229')?.state).toBe('ALARM');
    });

    test('carry the time of the transition', async () => {
      const before = Date.now() - 3_600_000;
      const at = (await read(['alarm-229'])).get('alarm-229')?.at ?? 0;
      expect(at).toBeGreaterThan(before);
      expect(at).toBeLessThan(Date.now() + 3_600_000);
    });

    test('include composite alarms', async () => {
      expect([...(await read(['composite', 'alarm-0'])).keys()].sort()).toEqual(['alarm-0', 'composite']);
    });

    test('leave out alarms that do not exist', async () => {
      expect([...(await read(['alarm-0', 'no-such-alarm'])).keys()]).toEqual(['alarm-0']);
    });
  });

  describe('a cluster', () => {
    beforeAll(() => createCluster(awsClients(emulator).eks, 'demo'));

    test('is described', async () => {
      await expect(describeCluster('demo', REGION)).resolves.toMatchObject({
        server: expect.stringMatching(/^https:\/\/.*\.eks\.amazonaws\.com/),
        caBase64: expect.any(String),
        version: '1.35',
        publicAccess: true,
        privateAccess: true,
      });
    });

    test('that does not exist is no error', async () => {
      await expect(describeCluster('gone', REGION)).resolves.toBeUndefined();
    });
  });

  describe('the status of a stack', () => {
    const props = () => ({ region: REGION, credentials: async () => CREDENTIALS, endpoint: emulator.url });

    test('is read by its id', async () => {
      const made = await queryCall(emulator, 'cloudformation', {
        Action: 'CreateStack',
        StackName: 'demo',
        TemplateBody: JSON.stringify({ Resources: { Queue: { Type: 'AWS::SQS::Queue' } } }),
      });
      const id = /<StackId>(.*?)<\/StackId>/.exec(made)?.[1] ?? '';
      expect(id).toContain(`arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/demo/`);
      await expect(stackStatus(id, props())).resolves.toBe('CREATE_COMPLETE');
    });

    test('that does not exist is an error', async () => {
      await expect(stackStatus('missing', props())).rejects.toThrow(/^DescribeStacks missing: 400 /);
    });
  });
});
