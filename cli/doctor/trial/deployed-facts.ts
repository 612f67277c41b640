import type { ClusterConfig } from '../../../shared/core/config/config';
import type { AwsPlace } from '../../aws/assume-role';
import { poolMetric } from '../../aws/metric-data';
import { PATIENCE as SETTINGS, type StackResource, stackOf, stackResources } from '../../aws/stack-resources';
import { read } from '../../kube/read';

export type DeployedFacts = Awaited<ReturnType<typeof readDeployed>>;
export type AlarmFacts = Awaited<ReturnType<typeof readAlarms>>[number];
export type QueueFacts = Awaited<ReturnType<typeof readDeadLetters>>[number];

/** The most names that one call to DescribeAlarms accepts. */
const NAMES_AT_ONCE = 100;

export async function readDeployed(cluster: ClusterConfig, place: AwsPlace, given?: string) {
  const stack = await stackOf(cluster, place, given);
  const resources = read(stackResources(stack, place));
  const ofType = async (type: string) => {
    const found = await resources;
    if (!found.ok) throw new Error(found.why);
    return found.value.filter((one) => one.type === type);
  };
  const [alarms, deadLetters] = await Promise.all([
    read(ofType('AWS::CloudWatch::Alarm').then((found) => readAlarms(place, found))),
    read(ofType('AWS::SQS::Queue').then((found) => readDeadLetters(place, found))),
  ]);
  return { stack, alarms, deadLetters };
}

async function readAlarms(place: AwsPlace, resources: readonly StackResource[]) {
  const { CloudWatchClient, DescribeAlarmsCommand } = await import('@aws-sdk/client-cloudwatch');
  const client = new CloudWatchClient({ ...place, ...SETTINGS });
  const names = resources.map(({ id }) => id);
  const found: { name: string; state: string; reason: string }[] = [];
  for (let from = 0; from < names.length; from += NAMES_AT_ONCE) {
    const AlarmNames = names.slice(from, from + NAMES_AT_ONCE);
    const { MetricAlarms = [] } = await client.send(new DescribeAlarmsCommand({ AlarmNames, MaxRecords: 100 }));
    for (const { AlarmName = '', StateValue = '', StateReason = '' } of MetricAlarms)
      found.push({ name: AlarmName, state: StateValue, reason: StateReason });
  }
  return found;
}

/** The dead-letter queues: all without a redrive policy, unlike the queue of notices. */
async function readDeadLetters(place: AwsPlace, queues: readonly StackResource[]) {
  const { GetQueueAttributesCommand, SQSClient } = await import('@aws-sdk/client-sqs');
  const client = new SQSClient({ ...place, useQueueUrlAsEndpoint: false, ...SETTINGS });
  const all = await Promise.all(
    queues.map(async ({ id }) => {
      const { Attributes } = await client.send(
        new GetQueueAttributesCommand({
          QueueUrl: id,
          AttributeNames: ['ApproximateNumberOfMessages', 'RedrivePolicy'],
        }),
      );
      const messages = Number(Attributes?.ApproximateNumberOfMessages ?? 0);
      return { name: id.split('/').pop() ?? id, messages, isDeadLetter: !Attributes?.RedrivePolicy };
    }),
  );
  return all.filter(({ isDeadLetter }) => isDeadLetter).map(({ name, messages }) => ({ name, messages }));
}

/** The highest size that the pool's metric has reported since then; `undefined` if it has no data yet. */
export async function highestMetric(
  { name, region }: ClusterConfig,
  headroom: string,
  since: number,
  now: number,
): Promise<number | undefined> {
  const { CloudWatchClient, GetMetricStatisticsCommand } = await import('@aws-sdk/client-cloudwatch');
  const { Datapoints = [] } = await new CloudWatchClient({ region, ...SETTINGS }).send(
    new GetMetricStatisticsCommand({
      ...poolMetric(name, headroom, 'desired'),
      StartTime: new Date(Math.floor(since / MINUTE) * MINUTE),
      EndTime: new Date(now + MINUTE),
      Period: 60,
      Statistics: ['Maximum'],
    }),
  );
  const values = Datapoints.flatMap(({ Maximum }) => (Maximum === undefined ? [] : [Maximum]));
  return values.length === 0 ? undefined : Math.max(...values);
}

const MINUTE = 60_000;
