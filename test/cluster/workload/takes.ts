import type { KubeObject } from '../harness/api-client';
import { podDeletions } from '../harness/audit';
import type { Cluster } from '../harness/cluster';
import type { Pool } from './pool';

interface EventObject extends KubeObject {
  readonly reason: string;
  readonly regarding: { readonly kind: string; readonly name: string };
}

type Line = Readonly<Record<string, unknown>>;

/** Kubernetes Events in the namespace of the pause pods. */
export async function eventsIn(cluster: Cluster, { headstart }: Pool, wanted: string): Promise<readonly EventObject[]> {
  const path = `/apis/events.k8s.io/v1/namespaces/${headstart.namespace}/events`;
  return (await cluster.admin.list<EventObject>(path)).filter(({ reason }) => reason === wanted);
}

/** The pause pods that kube-scheduler says it preempted, each once. */
export async function preemptionsIn(cluster: Cluster, pool: Pool): Promise<readonly string[]> {
  return unique((await eventsIn(cluster, pool, 'Preempted')).map(({ regarding }) => regarding.name));
}

/** The pause pods that kube-scheduler deleted, by the apiserver's own log. */
export function victimsIn({ logOf }: Cluster, { headstart }: Pool): readonly string[] {
  const lines = podDeletions(logOf, headstart.namespace);
  return unique(
    lines.flatMap((line) => / delete (\S+) by system:kube-scheduler .*: 200$/.exec(line)?.slice(1, 2) ?? []),
  );
}

/** What functions logged of what work took. */
export function takesIn(lines: readonly Line[]): readonly { readonly units: number; readonly pods: number }[] {
  return lines
    .filter(({ message }) => message === 'work took headroom')
    .map(({ units, pods }) => ({ units: Number(units), pods: Number(pods) }));
}

/** All units that work took: by the log, and the metric says the same. */
export function unitsIn(lines: readonly Line[]): number {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  const logged = sum(takesIn(lines).map(({ units }) => units));
  const metric = sum(lines.map(({ TakenHeadroom }) => Number(TakenHeadroom ?? 0)));
  if (metric !== logged) throw new Error(`the metric says ${metric} taken, the log ${logged}`);
  return logged;
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}
