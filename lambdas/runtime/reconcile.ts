import { handleTick } from '../../shared/core/handle-event';
import { run } from '../../shared/core/run';
import { service } from './compose';

/** Window edges, the heartbeat and deploys. */
export async function handler(event: unknown) {
  const made = await service();
  return run(made, event, () => handleTick(event, made));
}
