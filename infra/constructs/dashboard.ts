import { Duration } from 'aws-cdk-lib';
import {
  Dashboard as CloudWatchDashboard,
  GraphWidget,
  MathExpression,
  Stats,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { METRICS } from '../../shared/adapters/process/emf-metrics';
import type { Config } from '../../shared/core/config/config';
import { ownMetric } from './own-alarms';

const TROUBLE = [
  METRICS.errors,
  METRICS.rejectedEvents,
  METRICS.unreadableRecords,
  METRICS.contestedFields,
  METRICS.missingNodePools,
];
const [WIDTH, HALF, HEIGHT] = [24, 12, 6];

/** A graph of wanted and ready headroom for each NodePool, and one of Headstart's own problems. */
export class Dashboard extends Construct {
  constructor(scope: Construct, id: string, { cluster, headrooms }: Config) {
    super(scope, id);
    const metric = (metricName: string, statistic: string, label: string, dimensions: Record<string, string> = {}) =>
      ownMetric(cluster, metricName, dimensions, { statistic, period: Duration.minutes(1), label });
    const graphs = headrooms.map(({ name, unit }) => {
      const [wanted, ready] = [
        metric(METRICS.desired, Stats.MAXIMUM, 'wanted', { Headroom: name }),
        metric(METRICS.ready, Stats.MAXIMUM, 'ready', { Headroom: name }),
      ];
      const missing = new MathExpression({
        expression: 'IF(wanted > ready, wanted - ready, 0)',
        usingMetrics: { wanted, ready },
        label: 'missing',
        period: Duration.minutes(1),
      });
      const taken = metric(METRICS.taken, Stats.SUM, 'taken by work', { Headroom: name });
      return new GraphWidget({
        title: name,
        width: HALF,
        height: HEIGHT,
        leftYAxis: { min: 0, label: 'replicas', showUnits: false },
        left: [wanted, ready, missing, ...(unit.kind === 'floor' ? [] : [taken])],
      });
    });
    const trouble = new GraphWidget({
      title: 'Trouble',
      width: WIDTH,
      height: HEIGHT,
      leftYAxis: { min: 0, showUnits: false },
      left: TROUBLE.map((metricName) => metric(metricName, Stats.SUM, metricName)),
    });
    new CloudWatchDashboard(this, 'Dashboard', {
      widgets: [
        [new TextWidget({ markdown: `# Headstart on ${cluster.name}`, width: WIDTH, height: 1 })],
        graphs,
        [trouble],
      ],
    });
  }
}
