import { type CloudWatchClient, PutMetricDataCommand } from '@aws-sdk/client-cloudwatch';

interface EmbeddedMetrics extends Readonly<Record<string, unknown>> {
  readonly _aws: {
    readonly Timestamp: number;
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string }[];
    }[];
  };
}

/** Makes metrics of the lines in the embedded metric format, as CloudWatch Logs does with a function's log. */
export async function emfToCloudWatch(client: CloudWatchClient, log: string): Promise<void> {
  for (const line of log.split('\n')) {
    if (!line.includes('"_aws"')) continue;
    const embedded = JSON.parse(line) as EmbeddedMetrics;
    const { Timestamp, CloudWatchMetrics } = embedded._aws;
    for (const { Namespace, Dimensions, Metrics } of CloudWatchMetrics)
      for (const names of Dimensions)
        await client.send(
          new PutMetricDataCommand({
            Namespace,
            MetricData: Metrics.map(({ Name }) => ({
              MetricName: Name,
              Value: Number(embedded[Name]),
              Timestamp: new Date(Timestamp),
              Dimensions: names.map((Dimension) => ({ Name: Dimension, Value: String(embedded[Dimension]) })),
            })),
          }),
        );
  }
}
