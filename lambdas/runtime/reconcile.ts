import { withClusterErrorType } from '../../shared/adapters/cluster-error';
import { handle } from '../../shared/core/handle';
import { service } from './compose';

/** Window edges, the heartbeat and deploys; a deploy wants to know what kind of error it was. */
export async function handler(event: unknown) {
  try {
    return await handle(event, { ...(await service()), accepts: 'tick' });
  } catch (error) {
    throw withClusterErrorType(error);
  }
}
