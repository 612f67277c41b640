import { asList, asMap } from '../../shared/core/config/untyped';

/** The size that a config of cluster-proportional-autoscaler leads to, and why. */
export interface LadderSize {
  readonly replicas: number;
  readonly remark: string;
  /** The fields that were read. */
  readonly fields: readonly (readonly string[])[];
}

/** Its sizes follow the number of nodes or cores, which is not known in advance: the highest step counts. */
export function ladderSize(config: unknown): LadderSize | undefined {
  const { ladder, linear } = asMap(config);
  const { nodesToReplicas, coresToReplicas } = asMap(ladder);
  const steps = [...asList(nodesToReplicas), ...asList(coresToReplicas)].map((step) => Number(asList(step)[1]));
  if (steps.length > 0 && steps.every((replicas) => Number.isInteger(replicas) && replicas >= 0)) {
    const replicas = Math.max(...steps);
    const remark =
      new Set(steps).size === 1
        ? 'the ladder'
        : `the highest step of a ladder of ${steps.join(', ')} by the number of nodes`;
    const fields = [
      ['ladder', 'nodesToReplicas'],
      ['ladder', 'coresToReplicas'],
    ];
    return { replicas, remark, fields };
  }
  const { min, max } = asMap(linear);
  const replicas = Number(max ?? min ?? 1);
  if (linear === undefined || !Number.isInteger(replicas)) return undefined;
  const remark = 'the bound of a linear rule by the size of the cluster';
  return { replicas, remark, fields: [['linear', max === undefined ? 'min' : 'max']] };
}
