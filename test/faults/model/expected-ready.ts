import type { Deployment } from '../../../lab/simulator/kube/object-types';

/** The pods that count as ready: none while the status is behind the spec, and no pods of an old template. */
export function expectedReady(deployment: Deployment | undefined): number {
  if (!deployment?.status || deployment.status.observedGeneration !== deployment.metadata.generation) return 0;
  const { replicas = 0, updatedReplicas = 0, readyReplicas = 0 } = deployment.status;
  const old = replicas - updatedReplicas;
  return readyReplicas > old ? readyReplicas - old : 0;
}
