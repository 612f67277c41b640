import { handle } from '../../shared/core/handle';
import type { LambdaContext } from '../deadline';
import { service } from './compose';

/** A manual invoke: inflate, pin, release, status. Wrong input gets a response that says what to write. */
export async function handler(event: unknown, context?: LambdaContext) {
  return handle(event, { ...(await service(context)), accepts: 'order' });
}
