import { messageOf } from '../../../shared/core/basics/errors';
import type { Log } from '../../../shared/core/ports/ports';

export interface RollbackPorts {
  /** The status of a stack as CloudFormation names it, such as `UPDATE_ROLLBACK_IN_PROGRESS`. */
  readonly stackStatus: (stackId: string) => Promise<string>;
  readonly log: Log;
}

/** The status of the stack; an unknown one is empty, so that it counts as no rollback. */
export function knownStatus(stackId: string, { stackStatus, log }: RollbackPorts): Promise<string> {
  return stackStatus(stackId).catch((error: unknown) => {
    log.warn('status of the stack unknown', { reason: messageOf(error) });
    return '';
  });
}
