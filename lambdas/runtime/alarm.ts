import { handleAlarm } from '../../shared/core/handle-event';
import { run } from '../../shared/core/run';
import { service } from './compose';

/** CloudWatch alarm state changes, metric and composite. */
export async function handler(event: unknown) {
  const made = await service();
  return run(made, event, () => handleAlarm(event, made));
}
