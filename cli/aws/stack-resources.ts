import { ENVIRONMENT } from '../../shared/adapters/process/environment';
import { functionName } from '../../shared/core/basics/names';
import type { ClusterConfig } from '../../shared/core/config/config';
import type { AwsPlace } from './assume-role';

/** Somebody is waiting at the terminal, so give up soon. */
export const PATIENCE = { maxAttempts: 3, requestHandler: { connectionTimeout: 8_000, requestTimeout: 8_000 } };

export interface StackResource {
  readonly id: string;
  readonly type: string;
}

export async function stackOf(
  { name }: Pick<ClusterConfig, 'name'>,
  place: AwsPlace,
  given = functionName(name, 'inflate'),
): Promise<string> {
  const { GetFunctionConfigurationCommand, LambdaClient } = await import('@aws-sdk/client-lambda');
  const client = new LambdaClient({ ...place, ...PATIENCE });
  const { Environment } = await client.send(new GetFunctionConfigurationCommand({ FunctionName: given }));
  return Environment?.Variables?.[ENVIRONMENT.owner]?.split('/').pop() ?? '';
}

export async function stackResources(StackName: string, place: AwsPlace): Promise<readonly StackResource[]> {
  const { CloudFormationClient, paginateListStackResources } = await import('@aws-sdk/client-cloudformation');
  const client = new CloudFormationClient({ ...place, ...PATIENCE });
  const found: StackResource[] = [];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName }))
    for (const { PhysicalResourceId = '', ResourceType = '' } of StackResourceSummaries)
      found.push({ id: PhysicalResourceId, type: ResourceType });
  return found;
}
