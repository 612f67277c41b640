import type { Config, HeadroomConfig } from '../../shared/core/config/config';
import type { History, Period, Range } from '../../shared/report/history';
import type { AwsPlace } from '../aws/assume-role';
import { type MetricRange, poolMetric, RETENTION, readMetricData, requestsOf } from '../aws/metric-data';

const REQUESTS_AT_ONCE = 6;
/** Four metrics for each NodePool, and a request takes 500. */
const POOLS_AT_ONCE = 100;
const ENDS = { min: 'Minimum', max: 'Maximum' } as const;
const WANTED = (['desired', 'ready'] as const).flatMap((metric) =>
  (['min', 'max'] as const).map((end) => ({ metric, end })),
);

/** Each part of a time, with the finest period that CloudWatch still keeps of it; the oldest first. */
export function keptRanges(from: number, to: number, now: number): readonly MetricRange[] {
  const limits = [now, ...RETENTION.map(({ keptFor }) => now - keptFor * 1_000)];
  return RETENTION.map(({ period }, index) => ({
    from: Math.max(from, limits[index + 1] as number),
    to: Math.min(to, index === 0 ? to : (limits[index] as number)),
    periodSeconds: period,
  }))
    .filter((range) => range.from < range.to)
    .reverse();
}

export async function readPeriods(
  config: Config,
  place: AwsPlace,
  ranges: readonly MetricRange[],
): Promise<History['periods']> {
  const found = new Map(config.headrooms.map(({ name }) => [name, new Map<number, Period>()]));
  for (const range of ranges)
    for (let first = 0; first < config.headrooms.length; first += POOLS_AT_ONCE)
      await readRange(config, place, config.headrooms.slice(first, first + POOLS_AT_ONCE), range, found);
  const isWhole = ({ desired, ready }: Period) => !Number.isNaN(desired.min + desired.max + ready.min + ready.max);
  return new Map(
    [...found].map(([pool, readings]) => [pool, [...readings.values()].filter(isWhole).sort((a, b) => a.at - b.at)]),
  );
}

async function readRange(
  { cluster }: Config,
  place: AwsPlace,
  pools: readonly HeadroomConfig[],
  range: MetricRange,
  found: ReadonlyMap<string, Map<number, Period>>,
): Promise<void> {
  const ms = range.periodSeconds * 1_000;
  const wanted = pools.flatMap(({ name }) => WANTED.map((one) => ({ ...one, pool: name, readings: found.get(name) })));
  const queries = wanted.map(({ pool, metric, end }, index) => ({
    Id: `q${index}`,
    MetricStat: {
      Metric: poolMetric(cluster.name, pool, metric),
      Period: range.periodSeconds,
      Stat: ENDS[end],
    },
  }));
  await readMetricData(
    place,
    requestsOf(queries, range),
    ({ Id = '', Timestamps = [], Values = [] }) => {
      const { readings, metric, end } = wanted[Number(Id.slice(1))] ?? {};
      if (!readings || !metric || !end) return;
      for (const [index, time] of Timestamps.entries()) {
        const at = time.getTime();
        const reading = readings.get(at) ?? { at, ms, desired: unread(), ready: unread() };
        readings.set(at, reading);
        reading[metric][end] = Values[index] ?? Number.NaN;
      }
    },
    { label: 'metrics', atOnce: REQUESTS_AT_ONCE },
  );
}

function unread(): Range {
  return { min: Number.NaN, max: Number.NaN };
}
