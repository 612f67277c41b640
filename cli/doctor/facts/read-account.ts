import { cloudWatchAlarms } from '../../../shared/adapters/cloudwatch-alarms';
import { physicalName } from '../../../shared/core/basics/names';
import type { Config } from '../../../shared/core/config/config';
import type { AccountFacts, ScheduleFacts } from './account-facts';
import { read } from './read';
import { type SignedCall, signedCall } from './signed-call';

/** Reads what doctor looks at in an account, with the credentials of this shell; it changes nothing. */
export async function readAccount(config: Config): Promise<AccountFacts> {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const [lambda, eks] = await Promise.all([import('@aws-sdk/client-lambda'), import('@aws-sdk/client-eks')]);
  const { name, region } = config.cluster;
  const functionName = physicalName(['headstart', name, 'inflate']);
  const lambdaClient = new lambda.LambdaClient({ region, maxAttempts: 2 });
  const eksClient = new eks.EKSClient({ region, maxAttempts: 2 });
  const call = signedCall(region, async () => lambdaClient.config.credentials());
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
  const made = inflate.ok ? inflate.value : undefined;
  const [schedules, rules, alarms, cluster, accessGroups] = await Promise.all([
    read(listSchedules(call)),
    read(listRules(call, made?.stack)),
    read(alarmNames.length === 0 ? Promise.resolve([]) : knownAlarms(region, alarmNames)),
    read(
      orMissing(
        eksClient.send(new eks.DescribeClusterCommand({ name })).then((answer) => ({
          authenticationMode: answer.cluster?.accessConfig?.authenticationMode ?? 'CONFIG_MAP',
          status: answer.cluster?.status ?? 'unknown',
        })),
      ),
    ),
    read(
      made
        ? orMissing(
            eksClient
              .send(new eks.DescribeAccessEntryCommand({ clusterName: name, principalArn: made.role }))
              .then(({ accessEntry }) => accessEntry?.kubernetesGroups ?? []),
          )
        : Promise.reject(new Error('the function is not there')),
    ),
  ]);
  return { functionName, inflate, schedules, rules, alarms, cluster, accessGroups };
}

async function knownAlarms(region: string, names: readonly string[]): Promise<readonly string[]> {
  return [...(await cloudWatchAlarms({ region }).read([...new Set(names)])).keys()];
}

async function listSchedules(call: SignedCall): Promise<readonly ScheduleFacts[]> {
  const found: ScheduleFacts[] = [];
  let token: string | undefined;
  do {
    const query = new URLSearchParams({ MaxResults: '100', ...(token && { NextToken: token }) });
    const page = await call('scheduler', { method: 'GET', path: `/schedules?${query}` });
    for (const { Name, GroupName, State } of (page.Schedules ?? []) as Record<string, string>[])
      found.push({ name: Name ?? '', group: GroupName ?? '', state: State ?? '' });
    token = page.NextToken as string | undefined;
  } while (token);
  return found;
}

async function listRules(
  call: SignedCall,
  stack: string | undefined,
): Promise<readonly { name: string; state: string }[]> {
  const found: { name: string; state: string }[] = [];
  let token: string | undefined;
  do {
    const body = JSON.stringify({
      Limit: 100,
      ...(stack && { NamePrefix: stack.slice(0, 40) }),
      ...(token && { NextToken: token }),
    });
    const page = await call('events', { method: 'POST', path: '/', body, target: 'AWSEvents.ListRules' });
    for (const { Name, State } of (page.Rules ?? []) as Record<string, string>[])
      found.push({ name: Name ?? '', state: State ?? '' });
    token = page.NextToken as string | undefined;
  } while (token);
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
