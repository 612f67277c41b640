import { handle } from '../../shared/core/handle';
import { service } from './compose';

/** A manual invoke: inflate, pin, release, status. Wrong input gets a response that says what to write. */
export async function handler(event: unknown) {
  return handle(event, { ...(await service()), accepts: 'order' });
}
