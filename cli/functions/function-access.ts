import { functionError, isWaking, stillAsleep, untilAwake } from '../../shared/adapters/aws/invoke-function';
import { functionName } from '../../shared/core/basics/names';
import type { ClusterConfig } from '../../shared/core/config/config';
import type { Rejected } from '../../shared/core/respond';
import { credentialsFor, type RoleOptions } from '../aws/assume-role';
import { skewWorthCorrecting } from '../kube/clock-skew';
import { InputError } from '../terminal/exit';
import { plain, plainAll } from '../terminal/plain';
import type { Terminal } from '../terminal/terminal';
import type { Access, AccessResponse } from './access';

/** The SDK's message when no credentials are configured at all; it adds nothing to ours. */
const NOTHING_NEW = /^Could not load credentials from any providers/;
/** The alternative that some commands have to invoking the function. */
export const BY_KUBECONFIG = ', or talk to the cluster with --kubeconfig FILE';

/** Through the deployed function, with the AWS credentials of this shell. */
export async function functionAccess(
  cluster: ClusterConfig,
  { now, sleep, err }: Pick<Terminal, 'now' | 'sleep' | 'err'>,
  options: RoleOptions & { readonly function?: string } = {},
  /** Appended to errors: what else to try if the function cannot be invoked. */
  otherwise = '',
): Promise<Access> {
  const { name, region } = cluster;
  // The SDK's deprecation notices do not concern somebody who is waiting for nodes.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const { InvokeCommand, LambdaClient } = await import('@aws-sdk/client-lambda');
  const FunctionName = options.function ?? functionName(name, 'inflate');
  const client = new LambdaClient({ region, maxAttempts: 3, ...(await credentialsFor(options, cluster)) });
  const place = `function ${FunctionName} in ${region}`;
  let ahead = 0;
  return {
    place,
    now: () => now() + ahead,
    send: async (request) => {
      const command = new InvokeCommand({ FunctionName, Payload: Buffer.from(JSON.stringify(request)) });
      const waking = { now, sleep, onWait: (sentence: string) => err(`${sentence}\n`) };
      const response = await untilAwake(FunctionName, () => client.send(command), waking).catch((error: unknown) => {
        throw new Error(explain(error, FunctionName, region, otherwise), { cause: error });
      });
      const text = Buffer.from(response.Payload ?? []).toString('utf8');
      if (response.FunctionError !== undefined)
        throw new Error(`${place} failed: ${plainAll(functionError(text).message)}; see its log`);
      // With --function this may be somebody else's function, which may return nothing.
      const payload = JSON.parse(text || 'null') ?? {};
      const { rejected } = payload as Partial<Rejected>;
      if (rejected !== undefined) throw new InputError(plain(rejected));
      const { at } = payload as AccessResponse;
      ahead = skewWorthCorrecting(Date.parse(at) - now());
      return payload as AccessResponse;
    },
  };
}

function explain(error: unknown, called: string, region: string, otherwise: string): string {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
  if (name === 'CredentialsProviderError')
    return `no AWS credentials: set AWS_PROFILE or run \`aws sso login\`${otherwise}${NOTHING_NEW.test(message) ? '' : ` (${message})`}`;
  if (name === 'ResourceNotFoundException')
    return `function ${called} does not exist in ${region}: run npx cdk deploy --all, check cluster.name and cluster.region, or pass --function NAME${otherwise}`;
  if (/AccessDenied|NotAuthorized|UnrecognizedClient|ExpiredToken|InvalidSignature/.test(name))
    return `AWS refuses to invoke ${called} in ${region} (${name}: ${message}): renew the credentials, or ask for lambda:InvokeFunction on it${otherwise}`;
  if (isWaking(error)) return `${stillAsleep(called, error)}${otherwise}`;
  return `function ${called} in ${region} cannot be reached (${message || name}): check the network and the region${otherwise}`;
}
