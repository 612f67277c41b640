import { NODEPOOL_LABEL, OF_NODES, POD } from '../../../cli/prometheus/pod-series';
import {
  inPieces,
  type Labels,
  type PrometheusAddress,
  queryAt,
  queryRange,
  type TimeRange,
} from '../../../cli/prometheus/prometheus-client';

/** A day of minutes: of thousands of pods that is well below what Prometheus loads for one query. */
const POINTS_AT_ONCE = 1_440;
/** A pod that waits for longer counts as never scheduled. */
const LONGEST_WAIT_HOURS = 6;
const LONGEST_WAIT = LONGEST_WAIT_HOURS * 3_600;
/** What is wrong where kube-state-metrics does not export one of these, or Prometheus drops it. */
const WITHOUT: Readonly<Record<string, string>> = {
  kube_pod_info: 'DaemonSet pods count',
  kube_pod_status_phase: 'finished pods count until they are deleted',
  kube_pod_created: 'pods count only once they have a node',
};

/** The CPU that pods request, by NodePool and step; NaN where nothing was recorded. */
export interface PodDemand {
  readonly pools: ReadonlyMap<string, Float64Array>;
  readonly notes: readonly string[];
}

/**
 * What the pods of each NodePool request, from their creation until they finish or are deleted:
 * - A pod with a node counts for the NodePool of that node, step by step.
 * - A pod that waits for a node has none, so it counts for the NodePool of the node that it gets later.
 * - Finished pods, which kube-state-metrics keeps, do not count; nor do DaemonSets and Headstart's pause pods.
 * kube-state-metrics exports only those node labels that are on its allow-list.
 */
export async function readPodDemand(
  at: PrometheusAddress,
  namespace: string,
  range: TimeRange,
  onProgress: (until: number) => void,
): Promise<PodDemand> {
  const pools = new Map<string, Float64Array>();
  const steps = Math.floor((range.to - range.from) / range.step) + 1;
  const stepOf = (time: number) => Math.ceil((time - range.from) / range.step);
  const known = new Uint8Array(steps);
  const add = (pool: string, from: number, to: number, cpu: number) => {
    const demand = pools.get(pool) ?? new Float64Array(steps);
    pools.set(pool, demand);
    for (let step = Math.max(0, from); step < Math.min(to, steps); step += 1)
      demand[step] = (demand[step] as number) + cpu;
  };
  let unscheduled = 0;
  await inPieces(range, POINTS_AT_ONCE, async (piece) => {
    const running = await queryRange(at, runningQuery(namespace), piece);
    const { waits, never } = await waitsIn(at, namespace, piece, range);
    for (const { metric, values } of running)
      for (const [time, value] of values) {
        const pool = metric[NODEPOOL_LABEL];
        if (pool === undefined) known[stepOf(time)] = 1;
        else add(pool, stepOf(time), stepOf(time) + 1, Number(value));
      }
    for (const { pool, created, seen, cpu } of waits) add(pool, stepOf(created), stepOf(seen), cpu);
    unscheduled += never;
    onProgress(piece.to);
  });
  for (const demand of pools.values())
    for (let step = 0; step < steps; step += 1) if (!known[step]) demand[step] = Number.NaN;
  const missing = await missingMetrics(at, range.from + known.lastIndexOf(1) * range.step);
  return {
    pools: new Map([...pools].sort(([a], [b]) => (a < b ? -1 : 1))),
    notes: [
      ...missing.map((name) => `Prometheus has no ${name}, so ${WITHOUT[name]}`),
      ...(unscheduled === 0 ? [] : [neverText(unscheduled)]),
    ],
  };
}

async function missingMetrics(at: PrometheusAddress, time: number): Promise<readonly string[]> {
  const names = Object.keys(WITHOUT);
  const found = await queryAt(at, `group by (__name__) (last_over_time({__name__=~"${names.join('|')}"}[1h]))`, time);
  return names.filter((name) => !found.some(({ metric }) => metric.__name__ === name));
}

function requestsOf(namespace: string, more = ''): string {
  return `kube_pod_container_resource_requests{resource="cpu",namespace!=${JSON.stringify(namespace)}${more}}`;
}

const POOLS = `* on (node) group_left (${NODEPOOL_LABEL}) max by (node, ${NODEPOOL_LABEL}) (kube_node_labels{${NODEPOOL_LABEL}!=""})`;

/** The requests of pods that have a node, and beside them a series that tells when anything was recorded. */
function runningQuery(namespace: string): string {
  const live = [
    `max by (namespace, pod, container, node) (${requestsOf(namespace, ',node!=""')})`,
    `unless on (namespace, pod) ${OF_NODES}`,
    'unless on (namespace, pod) (kube_pod_status_phase{phase=~"Succeeded|Failed"} == 1)',
  ].join(' ');
  return `sum by (${NODEPOOL_LABEL}) (sum by (node) (${live}) ${POOLS}) or group (kube_node_labels)`;
}

interface Wait {
  readonly pool: string;
  readonly created: number;
  /** The first step that shows the pod with a node. */
  readonly seen: number;
  readonly cpu: number;
}

/** The waits of pods that were created in a piece of time, and how many of them never got a node. */
async function waitsIn(at: PrometheusAddress, namespace: string, piece: TimeRange, range: TimeRange) {
  const { from, step } = piece;
  const until = Math.min(range.to, piece.to + LONGEST_WAIT);
  // Some wait already when the history begins.
  const since = from === range.from ? from - LONGEST_WAIT : from;
  const within = `[${until - from + step}s]`;
  const isNew = `>= ${since} < ${piece.to + step}`;
  const created = `max by (${POD}) (last_over_time(kube_pod_created{namespace!=${JSON.stringify(namespace)}}${within}) ${isNew}) unless on (${POD}) last_over_time(${OF_NODES}${within})`;
  // Steps as in `runningQuery`, so that a pod never counts twice or not at all.
  const withNode = `max by (${POD}, ${NODEPOOL_LABEL}) (${requestsOf(namespace, ',node!=""')} ${POOLS}) and on (${POD}) (kube_pod_created ${isNew})`;
  const firstSeen = `min_over_time(((${withNode}) * 0 + time())[${until - from + step}s:${step}s])`;
  const requests = `sum by (${POD}) (max by (${POD}, container) (last_over_time(${requestsOf(namespace)}${within}))) and on (${POD}) (${created})`;
  const never = `count((${created}) and on (${POD}) last_over_time(kube_pod_info{node=""}${within}) unless on (${POD}) last_over_time(kube_pod_info{node!=""}${within}))`;
  const [creations, sightings, sizes, [lost]] = await Promise.all([
    queryAt(at, created, until),
    queryAt(at, firstSeen, until),
    queryAt(at, requests, until),
    queryAt(at, never, until),
  ]);
  const [createdAt, cpuOf] = [creations, sizes].map(
    (found) => new Map(found.map(({ metric, value }) => [keyOf(metric), Number(value[1])])),
  );
  const waits = sightings.flatMap(({ metric, value }): Wait[] => {
    const [start, cpu] = [createdAt?.get(keyOf(metric)), cpuOf?.get(keyOf(metric))];
    const pool = metric[NODEPOOL_LABEL];
    if (start === undefined || cpu === undefined || pool === undefined) return [];
    return [{ pool, created: start, seen: Number(value[1]), cpu }];
  });
  return { waits, never: Number(lost?.value[1] ?? 0) };
}

function keyOf({ namespace, pod, uid }: Labels): string {
  return `${namespace}/${pod}/${uid}`;
}

function neverText(count: number): string {
  const [pods, them, are] = count === 1 ? ['1 pod', 'it', 'it is'] : [`${count} pods`, 'them', 'they are'];
  return `${pods} got no node within ${LONGEST_WAIT_HOURS} hours or before the history ends; no NodePool is known for ${them}, so ${are} left out`;
}
