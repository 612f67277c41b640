import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { SchedulerClient } from '@aws-sdk/client-scheduler';
import { cloudWatchAlarms } from '../../../shared/adapters/cloudwatch-alarms';
import { describeCluster } from '../../../shared/adapters/describe-cluster';
import { physicalName } from '../../../shared/core/basics/names';
import type { Config } from '../../../shared/core/config/config';
import { read } from '../../access/read';
import type { AccountFacts, RuleFacts, ScheduleFacts } from './account-facts';

/** A person is waiting, so errors come soon. */
const TIMEOUTS = { connectionTimeout: 8_000, requestTimeout: 8_000 };
const PAGE = 100;
/** CloudFormation cuts a stack's name where it would make the name of a rule too long. */
const MAX_STACK_PREFIX = 40;

/** Reads what doctor checks in an account, with the credentials of this shell. */
export async function readAccount(config: Config): Promise<AccountFacts> {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const [lambda, eks, scheduler, events] = await Promise.all([
    import('@aws-sdk/client-lambda'),
    import('@aws-sdk/client-eks'),
    import('@aws-sdk/client-scheduler'),
    import('@aws-sdk/client-eventbridge'),
  ]);
  const { name, region } = config.cluster;
  const functionName = physicalName(['headstart', name, 'inflate']);
  const settings = { region, maxAttempts: 2, requestHandler: TIMEOUTS };
  const lambdaClient = new lambda.LambdaClient(settings);
  const eksClient = new eks.EKSClient(settings);
  const alarmNames = config.nodePools.flatMap(({ alarms }) => alarms.map(({ alarmName }) => alarmName));

  const inflate = await read(
    orMissing(
      lambdaClient
        .send(new lambda.GetFunctionCommand({ FunctionName: functionName }))
        .then(({ Configuration, Tags }) => ({
          state: Configuration?.State ?? 'unknown',
          lastUpdate: Configuration?.LastUpdateStatus ?? 'unknown',
          role: Configuration?.Role ?? '',
          ...(Tags?.['aws:cloudformation:stack-name'] && { stack: Tags['aws:cloudformation:stack-name'] }),
        })),
    ),
  );
  const deployed = inflate.ok ? inflate.value : undefined;
  const [schedules, rules, alarms, cluster, accessGroups] = await Promise.all([
    read(listSchedules(new scheduler.SchedulerClient(settings))),
    read(listRules(new events.EventBridgeClient(settings), deployed?.stack)),
    read(alarmNames.length === 0 ? Promise.resolve([]) : knownAlarms(region, alarmNames)),
    read(describeCluster(name, region)),
    read(
      deployed
        ? orMissing(
            eksClient
              .send(new eks.DescribeAccessEntryCommand({ clusterName: name, principalArn: deployed.role }))
              .then(({ accessEntry }) => accessEntry?.kubernetesGroups ?? []),
          )
        : Promise.reject(new Error('the function does not exist')),
    ),
  ]);
  return { functionName, inflate, schedules, rules, alarms, cluster, accessGroups };
}

async function knownAlarms(region: string, names: readonly string[]): Promise<readonly string[]> {
  return [...(await cloudWatchAlarms({ region }).read([...new Set(names)])).keys()];
}

async function listSchedules(client: SchedulerClient): Promise<readonly ScheduleFacts[]> {
  const { paginateListSchedules } = await import('@aws-sdk/client-scheduler');
  const found: ScheduleFacts[] = [];
  for await (const { Schedules = [] } of paginateListSchedules({ client, pageSize: PAGE }, {}))
    for (const { Name = '', GroupName = '', State = '' } of Schedules)
      found.push({ name: Name, group: GroupName, state: State });
  return found;
}

/** Rules of the stack, by the prefix that CloudFormation gives their names. */
async function listRules(client: EventBridgeClient, stack: string | undefined): Promise<readonly RuleFacts[]> {
  const { ListRulesCommand } = await import('@aws-sdk/client-eventbridge');
  const prefix = stack && { NamePrefix: stack.slice(0, MAX_STACK_PREFIX) };
  const found: RuleFacts[] = [];
  let NextToken: string | undefined;
  do {
    const page = await client.send(new ListRulesCommand({ Limit: PAGE, ...prefix, ...(NextToken && { NextToken }) }));
    for (const { Name = '', State = '' } of page.Rules ?? []) found.push({ name: Name, state: State });
    ({ NextToken } = page);
  } while (NextToken);
  return found;
}

async function orMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if ((error as Error).name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}
