import type { MetricDataQuery } from '@aws-sdk/client-cloudwatch';
import { type MetricRange, RETENTION, readMetricData, requestsOf } from '../../../cli/aws/metric-data';
import { InputError } from '../../../cli/terminal/exit';
import { formatDuration } from '../../../shared/core/basics/duration';
import type { Config } from '../../../shared/core/config/config';
import { headroomFor } from './headroom-for';
import { SampleStore } from './sample-store';

const DAY = 86_400;
const METRIC_SHAPE =
  'write NAMESPACE METRIC DIMENSION=VALUE, such as "AWS/ApplicationELB RequestCount LoadBalancer=app/shop/50dc6c495c0c9188", or an expression such as "SUM(SEARCH(...))"';

export interface CloudWatchQuery extends MetricRange {
  readonly source: string;
  /** Of a metric; an expression names its own. */
  readonly stat: string;
  readonly perUnit: number;
  /** The NodePool of a series that names none. */
  readonly pool?: string | undefined;
}

/** How far back to read by default: a lead time below 5 minutes needs finer data, which is only kept for 15 days. */
export function defaultReach(leadMinutes: number): string {
  return leadMinutes < 5 ? '15d' : '28d';
}

/** The requested period, or the finest that is still kept for data of this age. */
export function periodFor(ageSeconds: number, requested: number | undefined): number {
  const kept = RETENTION.find(({ keptFor }) => ageSeconds <= keptFor);
  if (!kept) throw new InputError('--from: CloudWatch keeps data for 455 days; write a later time');
  if (requested === undefined) return kept.period;
  if (requested < 60 || requested % 60 !== 0)
    throw new InputError(`--step is ${formatDuration(requested)}; CloudWatch needs whole minutes`);
  if (requested >= kept.period) return requested;
  const { keptFor } = RETENTION.findLast(({ period }) => period <= requested) ?? kept;
  throw new InputError(
    `--step is ${formatDuration(requested)}; CloudWatch keeps such data for ${keptFor / DAY} days only: write --from ${keptFor / DAY}d or --step ${formatDuration(kept.period)}`,
  );
}

/** Reads a metric or an expression in pieces and pages; demand is unknown in periods without a value. */
export async function readCloudWatch(config: Config, query: CloudWatchQuery): Promise<SampleStore> {
  const { region } = config.cluster;
  const store = new SampleStore();
  const labels = new Map<string, string>();
  const requests = requestsOf([queryOf(query)], query);
  await readMetricData(
    { region },
    requests,
    ({ Label = '', Timestamps = [], Values = [] }) => {
      if (Timestamps.length === 0) return;
      const pool = poolOf(Label, config, query.pool);
      const other = labels.get(pool);
      if (other !== undefined && other !== Label)
        throw new InputError(
          `--cloudwatch: ${JSON.stringify(other)} and ${JSON.stringify(Label)} are both for ${pool}; add them up with SUM(...)`,
        );
      labels.set(pool, Label);
      Timestamps.forEach((at, index) => {
        const value = Values[index] ?? Number.NaN;
        store.addStep(pool, at.getTime(), value / query.perUnit, query.periodSeconds * 1_000);
      });
    },
    { label: '--cloudwatch' },
  );
  if (store.names.length === 0) throw new InputError(emptyText(region, query));
  return store;
}

function queryOf({ source, stat, periodSeconds }: CloudWatchQuery): MetricDataQuery {
  const text = source.trim();
  if (text.includes('(') || /^select\s/i.test(text)) return { Id: 'demand', Expression: text, Period: periodSeconds };
  const [Namespace, MetricName, ...pairs] = text.split(/\s+/);
  const Dimensions = pairs.map((pair) => {
    const [, Name, Value] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
    if (Name === undefined)
      throw new InputError(`--cloudwatch: ${JSON.stringify(pair)} is not a dimension; ${METRIC_SHAPE}`);
    return { Name, Value };
  });
  if (!Namespace || !MetricName) throw new InputError(`--cloudwatch is ${JSON.stringify(source)}; ${METRIC_SHAPE}`);
  return {
    Id: 'demand',
    MetricStat: { Metric: { Namespace, MetricName, Dimensions }, Period: periodSeconds, Stat: stat },
  };
}

/** The NodePool that is the label or one of its words; otherwise the given one, or the only one. */
function poolOf(label: string, config: Config, given: string | undefined): string {
  const names = config.headrooms.map(({ name }) => name);
  const nodePools = config.headrooms.map(({ nodePool }) => nodePool);
  const [only, second] = names;
  const named = [label, ...label.split(/\s+/)].find((word) => names.includes(word) || nodePools.includes(word));
  const pool = named ?? given ?? (second === undefined ? only : undefined);
  if (pool !== undefined) return headroomFor(pool, config, given);
  throw new InputError(
    `--cloudwatch: its series ${JSON.stringify(label)} names no NodePool; add --pool NAME (${names.join(', ')}), or group by a dimension whose values are NodePools`,
  );
}

function emptyText(region: string, { source, from, to }: CloudWatchQuery): string {
  const range = `from ${new Date(from).toISOString()} to ${new Date(to).toISOString()}`;
  return `--cloudwatch ${JSON.stringify(source)}: found no data in ${region} ${range}; a metric needs its exact name and all of its dimensions, and SEARCH finds only metrics with data in the last two weeks`;
}
