import { NODEPOOL_LABEL } from '../../../cli/prometheus/pod-series';
import {
  inPieces,
  type Labels,
  type PrometheusAddress,
  queryRange,
  type TimeRange,
} from '../../../cli/prometheus/prometheus-client';
import { InputError } from '../../../cli/terminal/exit';
import type { Config, HeadroomConfig } from '../../../shared/core/config/config';
import { parseQuantity } from '../../../shared/core/config/schema/quantity';
import { unitOfDemand } from '../../learning/unit-of-demand';
import { headroomFor } from './headroom-for';
import { readPodDemand } from './read-pod-demand';
import { SampleStore } from './sample-store';

/** Prometheus returns at most 11,000 points of a series at a time. */
const POINTS_AT_ONCE = 10_000;

export interface PrometheusQuery extends PrometheusAddress {
  /** @default the CPU requests of each NodePool's pods */
  readonly query?: string | undefined;
  readonly from: number;
  readonly to: number;
  readonly stepSeconds: number;
  /** How much of the value one unit of headroom serves; by default the CPU of the pool's unit. */
  readonly perUnit?: number | undefined;
  /** The NodePool of a series that names none. */
  readonly pool?: string | undefined;
  /** Is told up to where the history was read, as a share of it. */
  readonly onProgress?: ((share: number) => void) | undefined;
}

/** Reads a range query in pieces that Prometheus accepts; demand is unknown in steps without a value. */
export async function readPrometheus(config: Config, options: PrometheusQuery): Promise<SampleStore> {
  const { stepSeconds: step, onProgress } = options;
  // Whole steps, as subqueries have them.
  const [from, to] = [Math.ceil(options.from / 1_000 / step) * step, options.to / 1_000];
  const told = (until: number) => onProgress?.((until - from) / Math.max(1, to - from));
  const store = new SampleStore();
  if (options.query === undefined) await readDefault(store, config, options, { from, to, step }, told);
  else await readQuery(store, config, { ...options, query: options.query }, { from, to, step }, told);
  if (store.names.length === 0) throw new InputError(emptyText(options));
  return store;
}

async function readDefault(
  store: SampleStore,
  config: Config,
  options: PrometheusQuery,
  range: TimeRange,
  onProgress: (until: number) => void,
): Promise<void> {
  const { pools, notes } = await readPodDemand(options, config.cluster.namespace, range, onProgress);
  store.notes.push(...notes);
  for (const [nodePool, demand] of pools) {
    const pool = headroomFor(nodePool, config, options.pool);
    const each = options.perUnit ?? cpuOf(config, pool);
    // A pool without a node has no series, so before its first pod it may not have existed.
    for (let step = demand.findIndex((cpu) => cpu > 0); step >= 0 && step < demand.length; step += 1)
      if (!Number.isNaN(demand[step]))
        store.addStep(
          pool,
          (range.from + step * range.step) * 1_000,
          (demand[step] as number) / each,
          range.step * 1_000,
        );
  }
}

async function readQuery(
  store: SampleStore,
  config: Config,
  options: PrometheusQuery & { readonly query: string },
  range: TimeRange,
  onProgress: (until: number) => void,
): Promise<void> {
  await inPieces(range, POINTS_AT_ONCE, async (piece) => {
    for (const { metric, values } of await queryRange(options, options.query, piece)) {
      const pool = poolOf(metric, config, options.pool);
      for (const [at, value] of values)
        store.addStep(pool, at * 1_000, Number(value) / (options.perUnit ?? 1), range.step * 1_000);
    }
    onProgress(piece.to);
  });
}

/** The NodePool that the labels name; without such a label, the given or the only one. */
function poolOf(metric: Labels, config: Config, given: string | undefined): string {
  const named = metric[NODEPOOL_LABEL] ?? metric.nodepool ?? metric.pool ?? given;
  const [only, second] = config.headrooms;
  if (named !== undefined) return headroomFor(named, config, given);
  if (only && !second) return only.name;
  throw new InputError(
    `--query: its series ${JSON.stringify(metric)} name no NodePool; keep the label with sum by (${NODEPOOL_LABEL}) (...), name it pool, or add --pool NAME`,
  );
}

/** The CPU of one unit of demand. */
function cpuOf({ headrooms }: Config, name: string): number {
  const pool: HeadroomConfig | undefined = headrooms.find((one) => one.name === name);
  const cpu = pool && parseQuantity(unitOfDemand(pool).cpu ?? '');
  return cpu === undefined || cpu === 0 ? 1 : cpu;
}

function emptyText({ url, query }: PrometheusQuery): string {
  if (query !== undefined)
    return `--prometheus ${url}: the query found nothing in this time; check it in the Prometheus console`;
  return `--prometheus ${url}: the default query found nothing. kube-state-metrics shows the NodePool of a node only if its allow-list names the label; start it with --metric-labels-allowlist=nodes=[karpenter.sh/nodepool], and wait until there is history, or pass your own --query`;
}
