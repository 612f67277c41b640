import { withClusterErrorType } from '../../shared/adapters/kube/cluster-error';
import { handleEvent } from '../../shared/core/handle';
import type { LambdaContext } from '../deadline';
import { service } from './compose';

/** Window edges, the heartbeat and deploys; a deploy wants to know what kind of error it was. */
export async function handler(event: unknown, context?: LambdaContext) {
  try {
    return await handleEvent(event, { ...(await service(context)), accepts: 'tick' });
  } catch (error) {
    throw withClusterErrorType(error);
  }
}
