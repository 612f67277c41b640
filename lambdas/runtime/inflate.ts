import { handle } from '../../shared/core/handle';
import type { LambdaContext } from '../deadline';
import { type InvocationContext, logOfInvocation } from './caller';
import { runtime } from './compose';

/** A manual invoke: inflate, pin, release, status. Invalid input gets a response that says what to write. */
export async function handler(event: unknown, context?: LambdaContext & InvocationContext) {
  const { ports, ...rest } = await runtime(context);
  return handle(event, { ...rest, ports: { ...ports, log: logOfInvocation(ports.log, context) }, accepts: 'override' });
}
