import type { HeadroomFigures, Metrics } from '../../core/ports/ports';
import { writeLine } from './write-line';

export const METRIC_NAMESPACE = 'Headstart';

/** The metrics that Headstart writes; its own alarms use the same names. */
export const METRICS = {
  desired: 'DesiredHeadroom',
  ready: 'ReadyHeadroom',
  late: 'LateHeadroom',
  lateBy: 'LateBySeconds',
  taken: 'TakenHeadroom',
  rejectedEvents: 'RejectedEvents',
  foreignEvents: 'ForeignEvents',
  errors: 'Errors',
  unreadableRecords: 'UnreadableRecords',
  contestedFields: 'ContestedFields',
  missingNodePools: 'MissingNodePools',
  liveProblems: 'LiveScheduleProblems',
  liveIgnored: 'LiveSchedulesIgnored',
  adminsKept: 'AdminsKept',
} as const;

/** Metrics as log lines in CloudWatch's embedded metric format: no API call, no permissions. */
export function emfMetrics(clusterName: string, now: () => number, write = writeLine): Metrics {
  const emit = (dimensions: Record<string, string>, values: Record<string, number>) =>
    write(
      JSON.stringify({
        _aws: {
          Timestamp: now(),
          CloudWatchMetrics: [
            {
              Namespace: METRIC_NAMESPACE,
              Dimensions: [Object.keys(dimensions)],
              Metrics: Object.keys(values).map((Name) => ({
                Name,
                Unit: Name === METRICS.lateBy ? 'Seconds' : 'Count',
              })),
            },
          ],
        },
        ...dimensions,
        ...values,
      }),
    );
  return {
    headroom: (figures) => {
      for (const figure of figures) emit({ Cluster: clusterName, Headroom: figure.headroom }, valuesOf(figure));
    },
    count: (name, count) => emit({ Cluster: clusterName }, { [METRICS[name]]: count }),
  };
}

/** Each metric costs money for every hour in which it has a value. */
function valuesOf({ desired, ready, late, lateBySeconds, taken }: HeadroomFigures): Record<string, number> {
  return {
    [METRICS.desired]: desired,
    [METRICS.ready]: ready,
    ...(late !== undefined && { [METRICS.late]: late }),
    ...(lateBySeconds !== undefined && { [METRICS.lateBy]: lateBySeconds }),
    ...(taken !== undefined && { [METRICS.taken]: taken }),
  };
}
