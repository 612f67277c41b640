import { withClusterErrorType } from '../../shared/adapters/kube/cluster-error';
import { wakePorts } from '../../shared/adapters/kube/pause-pods';
import { handleEvent } from '../../shared/core/handle';
import type { LambdaContext } from '../deadline';
import { runtime, useWakeUps } from './compose';

useWakeUps(wakePorts);

/** Window edges, the heartbeat and deploys; a deploy explains an error by its type. */
export async function handler(event: unknown, context?: LambdaContext) {
  try {
    return await handleEvent(event, { ...(await runtime(context)), accepts: 'tick' });
  } catch (error) {
    throw withClusterErrorType(error);
  }
}
