/** As much of a Deployment as tells how many of its pods are ready. */
interface RollingDeployment {
  readonly metadata?: { readonly generation?: number | undefined } | undefined;
  readonly status?:
    | {
        readonly observedGeneration?: number | undefined;
        readonly replicas?: number | undefined;
        readonly updatedReplicas?: number | undefined;
        readonly readyReplicas?: number | undefined;
      }
    | undefined;
}

/**
 * The ready pods of the current template, at least: an old pod may be one of those that are ready, so each is
 * subtracted. `undefined` until the Deployment controller has seen the newest generation.
 */
export function readyPods({ metadata, status = {} }: RollingDeployment): number | undefined {
  if (status.observedGeneration !== metadata?.generation) return undefined;
  const { replicas = 0, updatedReplicas = 0, readyReplicas = 0 } = status;
  return Math.max(0, readyReplicas - (replicas - updatedReplicas));
}
