import { handle } from '../../shared/core/handle';
import { service } from './compose';

/** CloudWatch alarm state changes, metric and composite. */
export async function handler(event: unknown) {
  return handle(event, { ...(await service()), accepts: 'alarm' });
}
