import { headroomName } from '../../shared/core/basics/names';
import type { Config, HeadroomConfig } from '../../shared/core/config/config';
import type { History, NodesWithWork, PodWait, Span } from '../../shared/report/history';
import { STILL_WAITED_SECONDS } from '../../shared/report/waits';
import { NODEPOOL_LABEL, OF_NODES, POD } from '../prometheus/pod-series';
import { inPieces, type Labels, type PrometheusAddress, queryAt, queryRange } from '../prometheus/prometheus-client';
import { plainAll } from '../terminal/plain';

const [MINUTE, HOUR, HOURS_AT_ONCE, MINUTES_AT_ONCE] = [60, 3_600, 24, 1_440];
const CREATED_BY = 'created_by_kind, created_by_name';

/** What kube-state-metrics tells of work: how long pods waited, which got no node, and which nodes of floors ran some. */
export interface FromPrometheus extends Pick<History, 'waits' | 'work'> {
  readonly waits: ReadonlyMap<string, readonly PodWait[]>;
  readonly work: ReadonlyMap<string, readonly NodesWithWork[]>;
  /** Pods that got no node, whose NodePool nobody knows, by workload. */
  readonly withoutNode: ReadonlyMap<string, number>;
}

export async function readWaits(at: PrometheusAddress, config: Config, { from, to }: Span): Promise<FromPrometheus> {
  const [first, end] = [from, to].map((time) => Math.floor(time / 1_000)) as [number, number];
  const waits = new Map<string, PodWait[]>();
  const withoutNode = new Map<string, number>();
  const ofPool = (nodePool: string) => {
    const own = waits.get(nodePool) ?? [];
    waits.set(nodePool, own);
    return own;
  };
  await inPieces({ from: first, to: end - 1, step: HOUR }, HOURS_AT_ONCE, async (piece) => {
    const until = Math.min(end, piece.to + HOUR);
    await readPiece(
      at,
      config.cluster.namespace,
      { from: piece.from, until, seen: Math.min(end, until + HOUR) },
      (pod) => {
        if (pod.nodePool === undefined) withoutNode.set(pod.workload, (withoutNode.get(pod.workload) ?? 0) + 1);
        else ofPool(pod.nodePool).push(pod.wait);
      },
    );
  });
  for (const all of waits.values()) all.sort((a, b) => a.at - b.at);
  const floors = config.headrooms.filter(({ unit }) => unit.kind === 'floor');
  const work = new Map<string, readonly NodesWithWork[]>();
  for (const floor of floors) work.set(floor.name, await readWork(at, floor, config, { from: first, to: end }));
  return { waits, work, withoutNode };
}

type FoundPod = { readonly workload: string } & (
  | { readonly nodePool: string; readonly wait: PodWait }
  | { readonly nodePool?: undefined }
);

/** Pods that were created from `from` to `until`, as they were at `seen`: the last of them get their nodes after it. */
async function readPiece(
  at: PrometheusAddress,
  namespace: string,
  { from, until, seen }: { readonly from: number; readonly until: number; readonly seen: number },
  found: (pod: FoundPod) => void,
): Promise<void> {
  const last = (metric: string) => `last_over_time(${metric}[${seen - from}s])`;
  const created = `max by (${POD}) (${last(`kube_pod_created{namespace!=${JSON.stringify(namespace)}}`)} >= ${from} < ${until}) unless on (${POD}) ${last(OF_NODES)}`;
  const scheduled = `max by (${POD}) (${last('kube_pod_status_scheduled_time')})`;
  const nodes = `max by (node, ${NODEPOOL_LABEL}) (${last(`kube_node_labels{${NODEPOOL_LABEL}!=""}`)})`;
  const labels = `${NODEPOOL_LABEL}, ${CREATED_BY}`;
  const placed = `max by (${POD}, ${labels}) (${last('kube_pod_info{node!=""}')} * on (node) group_left (${NODEPOOL_LABEL}) ${nodes})`;
  const inPool = (value: string) => `(${value}) * on (${POD}) group_left (${labels}) (${placed})`;
  const slow = `(${scheduled}) - on (${POD}) (${created}) > ${STILL_WAITED_SECONDS}`;
  const requests = `sum by (${POD}, resource) (max by (${POD}, container, resource) (${last('kube_pod_container_resource_requests{resource=~"cpu|memory"}')})) and on (${POD}) (${slow})`;
  const unplaced = `max by (${POD}, ${CREATED_BY}) (${last('kube_pod_info')}) and on (${POD}) ((${created}) unless on (${POD}) ${scheduled})`;
  const [starts, ends, asked, without] = await Promise.all(
    [inPool(created), inPool(scheduled), requests, unplaced].map((query) => queryAt(at, query, seen)),
  );
  const endOf = new Map(ends?.map(({ metric, value }) => [podKey(metric), Number(value[1])]));
  const requested = new Map<string, { cpu?: number; memory?: number }>();
  for (const { metric, value } of asked ?? [])
    requested.set(podKey(metric), { ...requested.get(podKey(metric)), [metric.resource ?? '']: Number(value[1]) });
  for (const { metric, value } of starts ?? []) {
    const [key, start, workload] = [podKey(metric), Number(value[1]), workloadOf(metric)];
    const end = endOf.get(key);
    if (end === undefined) continue;
    const wait = { at: start * 1_000, seconds: end - start, workload, ...requested.get(key) };
    found({ nodePool: metric[NODEPOOL_LABEL] ?? '', workload, wait });
  }
  for (const { metric } of without ?? []) found({ workload: workloadOf(metric) });
}

/** On how many of its nodes other pods ran than those that follow every node. */
async function readWork(
  at: PrometheusAddress,
  { name }: HeadroomConfig,
  { cluster }: Config,
  { from, to }: Span,
): Promise<readonly NodesWithWork[]> {
  const namespace = JSON.stringify(cluster.namespace);
  const pods = JSON.stringify(`${headroomName(name).replaceAll('.', String.raw`\.`)}-[^-]+-[^-]+`);
  const own = `count by (node) (kube_pod_info{namespace=${namespace},pod=~${pods},node!=""})`;
  const work = `count by (node) (kube_pod_info{namespace!=${namespace},node!="",created_by_kind!~"DaemonSet|Node"} and on (${POD}) kube_pod_status_phase{phase="Running"} == 1)`;
  const query = `count(${own} and on (node) ${work}) or 0 * count(${own})`;
  const found: NodesWithWork[] = [];
  await inPieces({ from, to: to - 1, step: MINUTE }, MINUTES_AT_ONCE, async (piece) => {
    for (const { values } of await queryRange(at, query, piece))
      for (const [time, nodes] of values) found.push({ at: time * 1_000, nodes: Number(nodes) });
  });
  return found;
}

function podKey({ namespace, pod, uid }: Labels): string {
  return `${namespace}/${pod}/${uid}`;
}

/** `shop/checkout`: the Deployment behind a ReplicaSet, else what created the pod, else the pod. */
function workloadOf({ namespace, pod, created_by_kind: kind, created_by_name: by }: Labels): string {
  const name = by && by !== '<none>' ? by : pod;
  return plainAll(`${namespace}/${kind === 'ReplicaSet' ? name?.replace(/-[a-z0-9]{6,10}$/, '') : name}`);
}
