import type { Config } from '../../shared/core/config/config';
import type { PodWait, Span } from '../../shared/report/history';
import { NODEPOOL_LABEL, OF_NODES, POD } from '../prometheus/pod-series';
import { inPieces, type PrometheusAddress, queryAt } from '../prometheus/prometheus-client';

const [HOUR, HOURS_AT_ONCE] = [3_600, 24];

/** How long the pods of each NodePool waited for a node, by kube-state-metrics; pods that never got one are left out. */
export async function readWaits(
  at: PrometheusAddress,
  { cluster: { namespace } }: Config,
  { from, to }: Span,
): Promise<ReadonlyMap<string, readonly PodWait[]>> {
  const waits = new Map<string, PodWait[]>();
  const [first, end] = [from, to].map((time) => Math.floor(time / 1_000)) as [number, number];
  await inPieces({ from: first, to: end - 1, step: HOUR }, HOURS_AT_ONCE, async (piece) => {
    const until = Math.min(end, piece.to + HOUR);
    const last = (metric: string) => `last_over_time(${metric}[${until - piece.from}s])`;
    const isNew = `>= ${piece.from} < ${until}`;
    const created = `max by (${POD}) (${last(`kube_pod_created{namespace!=${JSON.stringify(namespace)}}`)} ${isNew}) unless on (${POD}) ${last(OF_NODES)}`;
    const nodes = `max by (node, ${NODEPOOL_LABEL}) (${last(`kube_node_labels{${NODEPOOL_LABEL}!=""}`)})`;
    const pools = `max by (${POD}, ${NODEPOOL_LABEL}) (${last('kube_pod_info{node!=""}')} * on (node) group_left (${NODEPOOL_LABEL}) ${nodes})`;
    const scheduled = `max by (${POD}) (${last('kube_pod_status_scheduled_time')})`;
    const inPool = (value: string) => `(${value}) * on (${POD}) group_left (${NODEPOOL_LABEL}) (${pools})`;
    const [starts, ends] = await Promise.all([created, scheduled].map((value) => queryAt(at, inPool(value), until)));
    const keyOf = (metric: Readonly<Record<string, string>>) => `${metric.namespace}/${metric.pod}/${metric.uid}`;
    const endOf = new Map(ends?.map(({ metric, value }) => [keyOf(metric), Number(value[1])]));
    for (const { metric, value } of starts ?? []) {
      const [pool = '', placed] = [metric[NODEPOOL_LABEL], endOf.get(keyOf(metric))];
      const own = waits.get(pool) ?? [];
      waits.set(pool, own);
      if (placed !== undefined) own.push({ at: Number(value[1]) * 1_000, seconds: placed - Number(value[1]) });
    }
  });
  return waits;
}
