import { withClusterErrorType } from '../../shared/adapters/cluster-error';
import { handleTick } from '../../shared/core/handle-event';
import { run } from '../../shared/core/run';
import { service } from './compose';

/** Window edges, the heartbeat and deploys; a deploy wants to know what kind of error it was. */
export async function handler(event: unknown) {
  try {
    const made = await service();
    return await run(made, event, () => handleTick(event, made));
  } catch (error) {
    throw withClusterErrorType(error);
  }
}
