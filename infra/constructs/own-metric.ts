import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { METRIC_NAMESPACE } from '../../shared/adapters/process/emf-metrics';
import type { ClusterConfig } from '../../shared/core/config/config';

/** A metric that the functions write, of the cluster or of one headroom. */
export function ownMetric(
  { name }: Pick<ClusterConfig, 'name'>,
  metricName: string,
  dimensions: Readonly<Record<string, string>>,
  options: MetricOptions,
): Metric {
  return new Metric({
    namespace: METRIC_NAMESPACE,
    metricName,
    dimensionsMap: { Cluster: name, ...dimensions },
    ...options,
  });
}
