import { httpRequest } from '../../shared/adapters/http/http-request';
import { messageOf } from '../../shared/core/basics/errors';
import type { Config, NodePoolConfig } from '../../shared/core/config/config';
import { parseQuantity } from '../../shared/core/config/schema/quantity';
import { unitOfDemand } from '../../shared/learning/unit-of-demand';
import { InputError } from '../terminal/exit';
import { SampleStore } from './sample-store';

/** Prometheus returns at most 11,000 points of a series at a time. */
const POINTS_AT_ONCE = 10_000;
const TIMEOUT_MS = 60_000;
export const NODEPOOL_LABEL = 'label_karpenter_sh_nodepool';

/**
 * The CPU that pods request on the nodes of each NodePool, without Headstart's pause pods. kube-state-metrics exports
 * only those node labels that are on its allow-list.
 */
function defaultQuery(namespace: string): string {
  const requests = `kube_pod_container_resource_requests{resource="cpu",namespace!=${JSON.stringify(namespace)},node!=""}`;
  return `sum by (${NODEPOOL_LABEL}) (sum by (node) (${requests}) * on (node) group_left (${NODEPOOL_LABEL}) max by (node, ${NODEPOOL_LABEL}) (kube_node_labels{${NODEPOOL_LABEL}!=""}))`;
}

export interface PrometheusQuery {
  readonly url: string;
  /** @default the CPU requests of each NodePool */
  readonly query?: string | undefined;
  readonly from: number;
  readonly to: number;
  readonly stepSeconds: number;
  /** How much of the value one unit of headroom serves; by default the CPU of the pool's unit. */
  readonly perUnit?: number | undefined;
  /** The NodePool of a series that names none. */
  readonly pool?: string | undefined;
  /** Sent as a bearer token. */
  readonly token?: string | undefined;
}

interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [number, string])[];
}

/** Reads a range query in pieces that Prometheus accepts; demand is unknown in steps without a value. */
export async function readPrometheus(config: Config, options: PrometheusQuery): Promise<SampleStore> {
  const { from, to, stepSeconds } = options;
  const query = options.query ?? defaultQuery(config.cluster.namespace);
  const store = new SampleStore();
  const piece = POINTS_AT_ONCE * stepSeconds;
  for (let start = from / 1_000; start <= to / 1_000; start += piece + stepSeconds) {
    const end = Math.min(to / 1_000, start + piece);
    for (const { metric, values } of await rangeQuery(options, query, start, end)) {
      const pool = poolOf(metric, config, options.pool);
      const each = options.perUnit ?? (options.query === undefined ? cpuOf(config, pool) : 1);
      for (const [at, value] of values) store.addStep(pool, at * 1_000, Number(value) / each, stepSeconds * 1_000);
    }
  }
  if (store.names.length === 0) throw new InputError(emptyText(options));
  return store;
}

async function rangeQuery(
  options: PrometheusQuery,
  query: string,
  start: number,
  end: number,
): Promise<readonly Series[]> {
  const { url, stepSeconds, token } = options;
  const address = new URL(`${url.replace(/\/+$/, '')}/api/v1/query_range`);
  const body = new URLSearchParams({
    query,
    start: String(start),
    end: String(end),
    step: String(stepSeconds),
  }).toString();
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const answer = await httpRequest(address, { method: 'POST', headers, body, timeoutMs: TIMEOUT_MS }).catch(
    (error: unknown) => {
      throw new Error(
        `--prometheus ${url}: does not answer (${messageOf(error)}); check the address and the port-forward`,
      );
    },
  );
  const found = parsed(answer.body);
  if (found?.status === 'success' && Array.isArray(found.data?.result)) return found.data.result;
  throw new InputError(
    `--prometheus ${url}: ${found?.error ?? `answered ${answer.status}`}; check the address and the query`,
  );
}

function parsed(body: string): { status: string; error?: string; data?: { result?: readonly Series[] } } | undefined {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The NodePool that the labels name; without such a label, the given or the only one. */
function poolOf(metric: Series['metric'], { nodePools }: Config, given: string | undefined): string {
  const named = metric[NODEPOOL_LABEL] ?? metric.nodepool ?? metric.pool ?? given;
  const [only, second] = nodePools;
  if (named !== undefined) return named;
  if (only && !second) return only.name;
  throw new InputError(
    `--query: its series ${JSON.stringify(metric)} name no NodePool; keep the label with sum by (${NODEPOOL_LABEL}) (...), name it pool, or add --pool NAME`,
  );
}

/** The CPU of one unit of demand. */
function cpuOf({ nodePools }: Config, name: string): number {
  const pool: NodePoolConfig | undefined = nodePools.find((one) => one.name === name);
  const cpu = pool && parseQuantity(unitOfDemand(pool).cpu ?? '');
  return cpu === undefined || cpu === 0 ? 1 : cpu;
}

function emptyText({ url, query }: PrometheusQuery): string {
  if (query !== undefined)
    return `--prometheus ${url}: the query found nothing in this time; check it in the Prometheus console`;
  return `--prometheus ${url}: the default query found nothing. kube-state-metrics shows the NodePool of a node only if its allow-list names the label; start it with --metric-labels-allowlist=nodes=[karpenter.sh/nodepool], and wait until there is history, or pass your own --query`;
}
