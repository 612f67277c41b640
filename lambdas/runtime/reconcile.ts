import { withClusterErrorType } from '../../shared/adapters/kube/cluster-error';
import { handleEvent } from '../../shared/core/handle';
import type { LambdaContext } from '../deadline';
import { service } from './compose';

/** Window edges, the heartbeat and deploys; a deploy explains an error by its type. */
export async function handler(event: unknown, context?: LambdaContext) {
  try {
    return await handleEvent(event, { ...(await service(context)), accepts: 'tick' });
  } catch (error) {
    throw withClusterErrorType(error);
  }
}
