import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { LambdaClient } from '@aws-sdk/client-lambda';
import { functionName } from '../../../shared/core/basics/names';
import type { Config } from '../../../shared/core/config/config';
import { wantedSources } from '../../../shared/core/config/wanted-sources';
import { asList, asMap } from '../../../shared/core/config/yaml/untyped';
import { read } from '../../kube/read';

interface FeedClients {
  readonly lambda: LambdaClient;
  readonly events: EventBridgeClient;
}

export type RuleFacts = Awaited<ReturnType<typeof rulesWithTarget>>[number];

export interface Feed {
  readonly functionName: string;
  /** What its rules must target: the function, or the queue that it reads; absent if it does not exist. */
  readonly target?: string;
  /** Why the queue is not being read. */
  readonly off?: string;
  readonly rules: readonly RuleFacts[];
}

/** Reads the rules that send events to the functions. Finds them by target, because CloudFormation chose their names. */
export async function readFeeds(config: Config, clients: FeedClients) {
  const needsAlarm = config.headrooms.some(({ alarms }) => alarms.length > 0);
  const needsInterruption = wantedSources(config).length > 0;
  const { name } = config.cluster;
  const [alarm, interruption] = await Promise.all([
    needsAlarm ? read(alarmFeed(functionName(name, 'alarm'), clients)) : undefined,
    needsInterruption ? read(interruptionFeed(functionName(name, 'interruption'), clients)) : undefined,
  ]);
  return { ...(alarm && { alarm }), ...(interruption && { interruption }) };
}

async function alarmFeed(name: string, { lambda, events }: FeedClients): Promise<Feed> {
  const { GetFunctionConfigurationCommand } = await import('@aws-sdk/client-lambda');
  const found = await orMissing(lambda.send(new GetFunctionConfigurationCommand({ FunctionName: name })));
  return feedOf(name, found?.FunctionArn, events);
}

async function interruptionFeed(name: string, { lambda, events }: FeedClients): Promise<Feed> {
  const { ListEventSourceMappingsCommand } = await import('@aws-sdk/client-lambda');
  const found = await orMissing(lambda.send(new ListEventSourceMappingsCommand({ FunctionName: name })));
  const [queue] = found?.EventSourceMappings ?? [];
  const feed = await feedOf(name, queue?.EventSourceArn, events);
  const isOff = queue?.State === 'Disabled' || queue?.State === 'Disabling';
  return isOff ? { ...feed, off: `event source mapping ${queue.UUID}: ${queue.State}` } : feed;
}

async function feedOf(name: string, target: string | undefined, events: EventBridgeClient): Promise<Feed> {
  if (target === undefined) return { functionName: name, rules: [] };
  return { functionName: name, target, rules: await rulesWithTarget(target, events) };
}

async function rulesWithTarget(TargetArn: string, client: EventBridgeClient) {
  const { DescribeRuleCommand, ListRuleNamesByTargetCommand } = await import('@aws-sdk/client-eventbridge');
  const names: string[] = [];
  let NextToken: string | undefined;
  do {
    const page = await client.send(
      new ListRuleNamesByTargetCommand({ TargetArn, ...(NextToken !== undefined && { NextToken }) }),
    );
    names.push(...(page.RuleNames ?? []));
    ({ NextToken } = page);
  } while (NextToken !== undefined);
  return Promise.all(
    names.map(async (Name) => {
      const { State = 'unknown', EventPattern = '{}' } = await client.send(new DescribeRuleCommand({ Name }));
      return { name: Name, state: State, ...matched(EventPattern) };
    }),
  );
}

function matched(pattern: string) {
  const { source, 'detail-type': detailTypes, detail } = asMap(JSON.parse(pattern));
  const texts = (value: unknown) => asList(value).map(String);
  return { sources: texts(source), detailTypes: texts(detailTypes), alarmNames: texts(asMap(detail).alarmName) };
}

/** `undefined` for what does not exist, according to AWS. */
export async function orMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if ((error as Error).name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}
