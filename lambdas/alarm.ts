import { service } from './compose';
import { handleAlarm } from './handle-event';
import { run } from './run';

/** CloudWatch alarm state changes, metric and composite. */
export async function handler(event: unknown) {
  const made = await service();
  return run(made, event, () => handleAlarm(event, made));
}
