import type { Condition, Deployment, DeploymentStatus } from '../../kube/object-types';
import { allowances } from './rollout';

export interface Tally {
  readonly pods: number;
  readonly updated: number;
  readonly ready: number;
  readonly failure?: string;
}

/** The status that the Deployment controller would write; like the real one, it omits zeros. */
export function deploymentStatus(deployment: Deployment, tally: Tally, now: string): DeploymentStatus {
  const { generation = 1 } = deployment.metadata;
  const { replicas } = deployment.spec;
  const missing = Math.max(0, replicas - tally.ready);
  return {
    observedGeneration: generation,
    ...(tally.pods > 0 && { replicas: tally.pods }),
    ...(tally.updated > 0 && { updatedReplicas: tally.updated }),
    ...(tally.ready > 0 && { readyReplicas: tally.ready, availableReplicas: tally.ready }),
    ...(missing > 0 && { unavailableReplicas: missing }),
    conditions: conditions(deployment, tally, now),
  };
}

function conditions(deployment: Deployment, tally: Tally, now: string): readonly Condition[] {
  const { spec } = deployment;
  const available = tally.ready >= spec.replicas - allowances(spec).maxUnavailable;
  const done = tally.updated === spec.replicas && tally.ready === spec.replicas && tally.pods === tally.updated;
  const wanted: Condition[] = [
    {
      type: 'Available',
      status: available ? 'True' : 'False',
      reason: available ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
      message: `Deployment ${available ? 'has' : 'does not have'} minimum availability.`,
    },
    {
      type: 'Progressing',
      status: 'True',
      reason: done ? 'NewReplicaSetAvailable' : 'ReplicaSetUpdated',
      message: done ? 'ReplicaSet has successfully progressed.' : 'ReplicaSet is progressing.',
    },
  ];
  if (tally.failure) {
    wanted.push({ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: tally.failure });
  }
  return wanted.map((condition) => timed(condition, deployment.status?.conditions, now));
}

/** Keeps the times of a condition that has not changed. */
function timed(condition: Condition, old: readonly Condition[] | undefined, now: string): Condition {
  const before = old?.find(({ type }) => type === condition.type);
  if (before?.status !== condition.status) return { ...condition, lastUpdateTime: now, lastTransitionTime: now };
  const { lastTransitionTime = now, lastUpdateTime = now } = before;
  const updated = before.reason === condition.reason ? lastUpdateTime : now;
  return { ...condition, lastUpdateTime: updated, lastTransitionTime };
}
