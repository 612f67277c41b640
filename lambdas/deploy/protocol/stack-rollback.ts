import { messageOf } from '../../../shared/core/basics/errors';
import type { Log } from '../../../shared/core/ports/ports';

export interface RollbackPorts {
  /** The status of a stack as CloudFormation names it, such as `UPDATE_ROLLBACK_IN_PROGRESS`. */
  readonly stackStatus: (stackId: string) => Promise<string>;
  readonly log: Log;
}

/** Whether the stack is being rolled back, its creation or an update; an unknown status counts as no. */
export async function isRollingBack(stackId: string, ports: RollbackPorts): Promise<boolean> {
  return (await statusOf(stackId, ports)).includes('ROLLBACK');
}

/** Whether an update of the stack is being rolled back, not its creation. */
export async function isUpdateRollingBack(stackId: string, ports: RollbackPorts): Promise<boolean> {
  return (await statusOf(stackId, ports)).startsWith('UPDATE_ROLLBACK');
}

function statusOf(stackId: string, { stackStatus, log }: RollbackPorts): Promise<string> {
  return stackStatus(stackId).catch((error: unknown) => {
    log.warn('status of the stack unknown', { reason: messageOf(error) });
    return '';
  });
}
