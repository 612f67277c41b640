import type { GetFunctionConfigurationCommandOutput } from '@aws-sdk/client-lambda';
import type { SchedulerClient } from '@aws-sdk/client-scheduler';
import { type CloudWatchAlarmsProps, cloudWatchAlarms } from '../../../shared/adapters/aws/cloudwatch-alarms';
import { type ClusterDescription, describeCluster } from '../../../shared/adapters/aws/describe-cluster';
import type { AwsCredentials } from '../../../shared/adapters/aws/presign';
import { ENVIRONMENT } from '../../../shared/adapters/process/environment';
import { functionName as nameOfFunction } from '../../../shared/core/basics/names';
import type { Config } from '../../../shared/core/config/config';
import { read } from '../../kube/read';
import { readAccessPolicies } from './read-access-policies';
import { orMissing, readFeeds } from './read-feeds';

/** Somebody is waiting at the terminal, so give up soon. */
const TIMEOUTS = { connectionTimeout: 8_000, requestTimeout: 8_000 };
const PAGE = 100;

/** Everything that doctor looks at in an AWS account; what does not exist is `undefined`. */
export type AccountFacts = Awaited<ReturnType<typeof readAccount>>;
export type ScheduleFacts = Awaited<ReturnType<typeof listSchedules>>[number];

export async function readAccount(config: Config, aws: { readonly credentials?: AwsCredentials } = {}) {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const [lambda, eks, scheduler, events] = await Promise.all([
    import('@aws-sdk/client-lambda'),
    import('@aws-sdk/client-eks'),
    import('@aws-sdk/client-scheduler'),
    import('@aws-sdk/client-eventbridge'),
  ]);
  const { name, region } = config.cluster;
  const functionName = nameOfFunction(name, 'inflate');
  const settings = { region, maxAttempts: 2, requestHandler: TIMEOUTS, ...aws };
  const lambdaClient = new lambda.LambdaClient(settings);
  const eksClient = new eks.EKSClient(settings);
  const alarmNames = config.headrooms.flatMap(({ alarms }) => alarms.map(({ alarmName }) => alarmName));

  const asked = lambdaClient.send(new lambda.GetFunctionConfigurationCommand({ FunctionName: functionName }));
  const inflate = await read(orMissing(asked.then(inflateFacts)));
  const groupsOf = async (principalArn: string) => {
    const entry = new eks.DescribeAccessEntryCommand({ clusterName: name, principalArn });
    return (await eksClient.send(entry)).accessEntry?.kubernetesGroups ?? [];
  };
  const deployed = inflate.ok ? inflate.value : undefined;
  const noRole = inflate.ok ? 'the function does not exist' : inflate.why;
  const [schedules, feeds, alarms, cluster, accessGroups, accessPolicies] = await Promise.all([
    read(listSchedules(new scheduler.SchedulerClient(settings))),
    readFeeds(config, { lambda: lambdaClient, events: new events.EventBridgeClient(settings) }),
    alarmNames.length === 0 ? undefined : read(knownAlarms({ region, ...aws }, alarmNames)),
    read<Pick<ClusterDescription, 'server' | 'authenticationMode'> | undefined>(
      describeCluster(name, region, undefined, aws),
    ),
    read(deployed ? orMissing(groupsOf(deployed.role)) : Promise.reject(new Error(noRole))),
    read(readAccessPolicies(eksClient, name)),
  ]);
  return { functionName, inflate, schedules, feeds, ...(alarms && { alarms }), cluster, accessGroups, accessPolicies };
}

/** The function that `inflate`, `release` and `status` invoke, with the cluster's endpoint when it was deployed. */
function inflateFacts(found: GetFunctionConfigurationCommandOutput) {
  const endpoint = found.Environment?.Variables?.[ENVIRONMENT.endpoint];
  return {
    state: found.State ?? 'unknown',
    lastUpdate: found.LastUpdateStatus ?? 'unknown',
    role: found.Role ?? '',
    ...(endpoint !== undefined && { endpoint }),
  };
}

async function knownAlarms(props: CloudWatchAlarmsProps, names: readonly string[]): Promise<readonly string[]> {
  return [...(await cloudWatchAlarms(props).read([...new Set(names)])).keys()];
}

async function listSchedules(client: SchedulerClient) {
  const { paginateListSchedules } = await import('@aws-sdk/client-scheduler');
  const found: { name: string; group: string; state: string }[] = [];
  for await (const { Schedules = [] } of paginateListSchedules({ client, pageSize: PAGE }, {}))
    for (const { Name = '', GroupName = '', State = '' } of Schedules)
      found.push({ name: Name, group: GroupName, state: State });
  return found;
}
