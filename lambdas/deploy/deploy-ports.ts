import { credentialsFrom } from '../../shared/adapters/aws/cluster-connection';
import { describeCluster } from '../../shared/adapters/aws/describe-cluster';
import { jsonLog } from '../../shared/adapters/process/json-log';
import { sleep } from '../../shared/adapters/process/sleep';
import { sendCfnResponse } from './protocol/cfn-response';

export const deployPorts = {
  send: sendCfnResponse,
  stackStatus,
  describe: describeCluster,
  now: () => Date.now(),
  sleep,
  log: jsonLog(),
};

async function stackStatus(stackId: string): Promise<string> {
  // Rarely needed, so loaded on demand.
  const adapter = await import('../../shared/adapters/aws/stack-status');
  const { env } = process;
  return adapter.stackStatus(stackId, {
    region: env.AWS_REGION ?? '',
    credentials: async () => credentialsFrom(env),
    endpoint: env.AWS_ENDPOINT_URL_CLOUDFORMATION ?? env.AWS_ENDPOINT_URL,
  });
}
