import { functionError } from '../../shared/adapters/invoke-function';
import { physicalName } from '../../shared/core/basics/names';
import type { ClusterConfig } from '../../shared/core/config/config';
import type { Rejected } from '../../shared/core/respond';
import { InputError } from '../terminal/exit';
import type { Terminal } from '../terminal/terminal';
import type { Access, AccessResponse } from './access';
import { skewWorthCorrecting } from './clock-skew';

const OTHERWISE = 'or talk to the cluster with --kubeconfig FILE';

/** Through the deployed function, with the AWS credentials of this shell. */
export async function functionAccess(
  { name, region }: ClusterConfig,
  { now }: Pick<Terminal, 'now'>,
  functionName?: string,
): Promise<Access> {
  // A notice about the SDK's own future is not for the person who waits for nodes.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const { InvokeCommand, LambdaClient } = await import('@aws-sdk/client-lambda');
  const FunctionName = functionName ?? physicalName(['headstart', name, 'inflate']);
  const client = new LambdaClient({ region, maxAttempts: 3 });
  const place = `function ${FunctionName} in ${region}`;
  let ahead = 0;
  return {
    place,
    now: () => now() + ahead,
    order: async (order) => {
      const response = await client
        .send(new InvokeCommand({ FunctionName, Payload: Buffer.from(JSON.stringify(order)) }))
        .catch((error: unknown) => {
          throw new Error(explain(error, FunctionName, region), { cause: error });
        });
      const text = Buffer.from(response.Payload ?? []).toString('utf8');
      if (response.FunctionError !== undefined)
        throw new Error(`${place} failed: ${functionError(text).message}; see its log`);
      // Another function than ours may return nothing.
      const payload = JSON.parse(text || 'null') ?? {};
      const { rejected } = payload as Partial<Rejected>;
      if (rejected !== undefined) throw new InputError(rejected);
      const { at } = payload as AccessResponse;
      ahead = skewWorthCorrecting(Date.parse(at) - now());
      return payload as AccessResponse;
    },
  };
}

/** Why AWS did not invoke the function, and what to do about it. */
function explain(error: unknown, functionName: string, region: string): string {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
  if (name === 'CredentialsProviderError')
    return `no AWS credentials: set AWS_PROFILE or run aws sso login, ${OTHERWISE} (${message})`;
  if (name === 'ResourceNotFoundException')
    return `function ${functionName} does not exist in ${region}: run npx cdk deploy, check cluster.name and cluster.region, pass --function NAME, ${OTHERWISE}`;
  if (/AccessDenied|NotAuthorized|UnrecognizedClient|ExpiredToken|InvalidSignature/.test(name))
    return `AWS refuses to invoke ${functionName} in ${region} (${name}: ${message}): renew the credentials, or ask for lambda:InvokeFunction on it, ${OTHERWISE}`;
  return `function ${functionName} in ${region} cannot be reached (${message || name}): check the network and the region, ${OTHERWISE}`;
}
