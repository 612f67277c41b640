import { service } from './compose';
import { handleTick } from './handle-event';
import { run } from './run';

/** Window edges, the heartbeat and deploys. */
export async function handler(event: unknown) {
  const made = await service();
  return run(made, event, () => handleTick(event, made));
}
