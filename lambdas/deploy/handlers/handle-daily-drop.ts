import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import type { AssociatedPolicy } from '../../../shared/adapters/aws/drop-access-policy';
import { messageOf } from '../../../shared/core/basics/errors';
import { deadlineOf, type LambdaContext } from '../../deadline';
import { type AdmissionPorts, untilAdmitted } from '../protocol/retry-until-admitted';

export interface DailyDropEvent {
  readonly dropAdmin: AssociatedPolicy;
}

export interface DailyDropPorts extends Omit<AdmissionPorts, 'deadline'> {
  /** Removes the policy if it was associated before that time; returns when, else `undefined`. */
  readonly dropOld: (policy: AssociatedPolicy, before: number, deadline: number) => Promise<string | undefined>;
  /** Raises the alarm on a role of this cluster that may have stayed admin. */
  readonly ring: (clusterName: string) => void;
}

/** Longer than a deploy needs the policy. */
const OLD_MS = 3_600_000;
const RESERVE_MS = 5_000;

/**
 * Removes the admin policy where it is associated outside a deploy: an update that changes only the tags of an
 * access entry runs CloudFormation's whole update handler, which may associate the template's policies again.
 */
export async function handleDailyDrop(
  { dropAdmin: policy }: DailyDropEvent,
  ports: DailyDropPorts,
  deadline: number,
): Promise<void> {
  const { log, now, dropOld } = ports;
  const role = policy.principalArn;
  try {
    const drop = () => dropOld(policy, now() - OLD_MS, deadline);
    const since = await untilAdmitted({ ...ports, deadline }, () => true)(drop);
    if (since !== undefined) log.warn('was cluster admin outside a deploy; the policy is dropped', { role, since });
  } catch (error) {
    log.error('the deploying role may still be cluster admin', { role, reason: messageOf(error) });
    ports.ring(policy.clusterName);
  }
}

export function withDailyDrop(
  answer: (event: CloudFormationCustomResourceEvent, context?: LambdaContext) => Promise<void>,
  ports: DailyDropPorts,
) {
  return (event: CloudFormationCustomResourceEvent | DailyDropEvent, context?: LambdaContext): Promise<void> =>
    'dropAdmin' in event ? handleDailyDrop(event, ports, deadlineOf(context, RESERVE_MS)) : answer(event, context);
}
