import { cloudWatchAlarms } from '../../../../shared/adapters/aws/cloudwatch-alarms';
import { functionError, invokeFunction } from '../../../../shared/adapters/aws/invoke-function';
import { fakeSdk } from '../../../fakes/fake-sdk';
import { fakeClock, memoryLog } from '../../../lambdas/deploy/requests';

const signal = { abortSignal: expect.any(AbortSignal) };

describe('invokeFunction', () => {
  let response: { readonly Payload?: Uint8Array; readonly FunctionError?: string } = {};
  const lambda = fakeSdk('LambdaClient', { Invoke: () => response });
  jest.doMock('@aws-sdk/client-lambda', () => lambda.module);
  const invoke = () =>
    invokeFunction('headstart', 'eu-west-1', { a: 'ü' }, Date.now() + 9_000, { ...fakeClock(), log: memoryLog() });

  test.each([
    { name: 'JSON', Payload: Buffer.from('{"b":"ö"}'), result: { b: 'ö' } },
    { name: 'no JSON', Payload: Buffer.from('ok'), result: undefined },
    { name: 'nothing', Payload: undefined, result: undefined },
  ])('returns what a function returned: $name', async ({ Payload, result }) => {
    response = Payload ? { Payload } : {};
    expect(await invoke()).toEqual(result);
  });

  test('waits longer than a function may run, and until the deadline', async () => {
    lambda.clients.length = lambda.asked.length = 0;
    await invoke();
    const requestHandler = { requestTimeout: 330_000, throwOnRequestTimeout: true };
    expect(lambda.clients).toEqual([{ region: 'eu-west-1', requestHandler }]);
    const input = { FunctionName: 'headstart', Payload: Buffer.from('{"a":"ü"}') };
    expect(lambda.asked).toEqual([{ call: 'Invoke', input, options: signal }]);
  });

  test('throws what a function threw', async () => {
    response = { FunctionError: 'Unhandled', Payload: Buffer.from('{"errorType":"Odd","errorMessage":"no"}') };
    await expect(invoke()).rejects.toMatchObject({ name: 'Odd', message: 'no' });
    response = { FunctionError: 'Unhandled' };
    await expect(invoke()).rejects.toMatchObject({ name: 'Error', message: '' });
  });

  test.each([
    { text: '{"errorMessage":"2026 Task timed out after 60.00 seconds"}', name: 'Sandbox.Timedout' },
    { text: '{"errorMessage":"odd"}', name: 'Error', message: 'odd' },
    { text: 'no JSON', name: 'Error', message: 'no JSON' },
    { text: 'null', name: 'Error', message: 'null' },
  ])('reads $text as an error', ({ text, ...expected }) => {
    expect(functionError(text)).toMatchObject(expected);
  });
});

describe('cloudWatchAlarms', () => {
  let pages: readonly unknown[] | Error = [];
  const cloudWatch = fakeSdk('CloudWatchClient', {
    DescribeAlarms: () => {
      if (pages instanceof Error) throw pages;
      return pages;
    },
  });
  jest.doMock('@aws-sdk/client-cloudwatch', () => cloudWatch.module);
  const [early, late] = [new Date('2026-11-16T00:00:00Z'), new Date('2026-11-16T01:00:00Z')];
  const settings = {
    region: 'eu-west-1',
    maxAttempts: 2,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
  };

  beforeEach(() => {
    cloudWatch.asked.length = cloudWatch.clients.length = 0;
    pages = [];
  });

  test('asks for metric and composite alarms by name, a hundred at a time', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `alarm-${index}`);
    await cloudWatchAlarms({ region: 'eu-west-1' }).read(names);
    const input = { AlarmTypes: ['MetricAlarm', 'CompositeAlarm'], MaxRecords: 100 };
    expect(cloudWatch.asked).toEqual(
      [names.slice(0, 100), names.slice(100)].map((AlarmNames) => ({
        call: 'DescribeAlarms',
        input: { ...input, AlarmNames },
        options: signal,
      })),
    );
  });

  test('tells the state of each and since when, from all pages; without all of it an alarm is not known', async () => {
    const alarm = (AlarmName: string, more: object) => ({ AlarmName, StateValue: 'ALARM', ...more });
    pages = [
      { MetricAlarms: [alarm('a', { StateTransitionedTimestamp: early, StateUpdatedTimestamp: late })] },
      { CompositeAlarms: [alarm('b', { StateUpdatedTimestamp: late, StateValue: 'OK' })] },
      { MetricAlarms: [alarm('c', {}), alarm('', { StateUpdatedTimestamp: late })] },
      { MetricAlarms: [alarm('d', { StateValue: undefined, StateUpdatedTimestamp: late })] },
    ];
    expect(await cloudWatchAlarms({ region: 'eu-west-1' }).read(['a', 'b', 'c', 'd'])).toEqual(
      new Map([
        ['a', { state: 'ALARM', at: early.getTime() }],
        ['b', { state: 'OK', at: late.getTime() }],
      ]),
    );
  });

  test('keeps its client, and makes a new one after a failure', async () => {
    const alarms = cloudWatchAlarms({ region: 'eu-west-1' });
    await alarms.read(['a']);
    await alarms.until(Date.now() + 9_000).read(['a']);
    expect(cloudWatch.clients).toEqual([settings]);
    pages = new Error('throttled');
    await expect(alarms.read(['a'])).rejects.toThrow('throttled');
    await expect(alarms.read(['a'])).rejects.toThrow('throttled');
    expect(cloudWatch.clients).toEqual([settings, 'destroyed', settings, 'destroyed']);
  });

  test('gives up at its deadline', async () => {
    await cloudWatchAlarms({ region: 'eu-west-1' })
      .until(Date.now() - 1)
      .read(['a']);
    const [{ options } = {}] = cloudWatch.asked as { options: { abortSignal: AbortSignal } }[];
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(options?.abortSignal.aborted).toBe(true);
  });
});
