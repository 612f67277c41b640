import { asList, asMap } from '../../../shared/core/config/yaml/untyped';

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
  const ladders = [
    { of: 'nodes', steps: asList(nodesToReplicas).map(asList) },
    { of: 'cores', steps: asList(coresToReplicas).map(asList) },
  ].filter(({ steps }) => steps.length > 0);
  const sizes = ladders.flatMap(({ steps }) => steps.map(([, replicas]) => Number(replicas)));
  if (sizes.length > 0 && sizes.every((replicas) => Number.isInteger(replicas) && replicas >= 0)) {
    const text = ladders.map(({ of, steps }) => `${steps.map(([from, to]) => `${to} from ${from} ${of}`).join(', ')}`);
    return {
      replicas: Math.max(...sizes),
      remark: `the highest step of a ladder: ${text.join('; ')}`,
      fields: [
        ['ladder', 'nodesToReplicas'],
        ['ladder', 'coresToReplicas'],
      ],
    };
  }
  const { min, max } = asMap(linear);
  const replicas = Number(max ?? min ?? 1);
  if (linear === undefined || !Number.isInteger(replicas)) return undefined;
  const remark = 'the bound of a linear rule by the size of the cluster';
  return { replicas, remark, fields: [['linear', max === undefined ? 'min' : 'max']] };
}
