import type { Deployment } from '../../kube/object-types';

export interface RevisionSize {
  readonly pods: number;
  readonly ready: number;
}

export interface RolloutSizes {
  readonly current: number;
  /** The total of the older revisions. */
  readonly old: number;
}

/**
 * The next step of a rollout. Recreate: old pods go first. RollingUpdate: never more than `replicas + maxSurge` pods,
 * never fewer than `replicas - maxUnavailable` ready ones; old pods that are not ready go immediately.
 */
export function rolloutSizes({ spec }: Deployment, current: RevisionSize, old: RevisionSize): RolloutSizes {
  const { replicas, strategy } = spec;
  if (old.pods === 0) return { current: replicas, old: 0 };
  if (strategy?.type === 'Recreate') return { current: current.pods, old: 0 };
  const { maxSurge, maxUnavailable } = allowances(spec);
  const room = Math.max(0, replicas + maxSurge - old.pods);
  const grown = Math.max(current.pods, Math.min(replicas, room));
  const needed = Math.max(0, replicas - maxUnavailable - current.ready);
  return { current: Math.min(grown, replicas), old: Math.min(old.ready, needed) };
}

/** The absolute maxSurge and maxUnavailable of a Deployment. */
export function allowances({ replicas, strategy }: Deployment['spec']): {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
} {
  if (strategy?.type === 'Recreate') return { maxSurge: 0, maxUnavailable: replicas };
  const maxSurge = share(strategy?.rollingUpdate?.maxSurge ?? '25%', replicas, Math.ceil);
  const maxUnavailable = share(strategy?.rollingUpdate?.maxUnavailable ?? '25%', replicas, Math.floor);
  return maxSurge === 0 && maxUnavailable === 0 ? { maxSurge, maxUnavailable: 1 } : { maxSurge, maxUnavailable };
}

function share(value: number | string, of: number, round: (value: number) => number): number {
  if (typeof value === 'number') return value;
  const percent = /^(\d+)%$/.exec(value)?.[1];
  return percent === undefined ? 0 : round((Number(percent) / 100) * of);
}
