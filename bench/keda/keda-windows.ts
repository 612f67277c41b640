import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '../../test/cluster/harness/api-client';
import type { Cluster } from '../../test/cluster/harness/cluster';
import { eventually } from '../../test/cluster/harness/process/eventually';
import { cronScaled, type Window } from './manifests';
import type { ReplicaWatch } from './watch-replicas';

const NAMESPACE = 'keda-windows';
/** KEDA looks every 30 s by default, from when an object was created: three objects see an edge in three phases. */
const PHASES = 3;
const PHASE_MS = 10_000;
const LEAST = [0, 1] as const;
const BACK_TIMEOUT_MS = 8 * 60_000;

/** Time needed before a window so that KEDA knows of it. */
export const PREPARATION_MS = PHASES * PHASE_MS + 30_000;

/** One ScaledObject, and the replicas that it keeps outside of its window. */
export interface Contestant {
  readonly name: string;
  readonly least: number;
}

/** How long after an edge the first change came, and the wanted number. */
export interface Reaction {
  readonly firstMs: number;
  readonly fullMs: number;
}

interface ScaledObject extends KubeObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Creates the objects whose windows KEDA opens and waits until KEDA has taken them on. */
export async function createContestants(cluster: Cluster, window: Window): Promise<readonly Contestant[]> {
  await cluster.admin.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  const contestants: Contestant[] = [];
  for (let phase = 0; phase < PHASES; phase += 1) {
    if (phase > 0) await sleep(PHASE_MS);
    for (const least of LEAST) {
      const name = `from-${least}-${phase}`;
      for (const manifest of cronScaled(name, NAMESPACE, least, window)) await cluster.admin.apply(manifest);
      contestants.push({ name, least });
    }
  }
  const path = `/apis/keda.sh/v1alpha1/namespaces/${NAMESPACE}/scaledobjects`;
  const ready = async () =>
    (await cluster.admin.list<ScaledObject>(path)).every(({ status }) =>
      status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True'),
    );
  await eventually(ready, { what: 'KEDA to be ready for its objects' });
  return contestants;
}

/** Waits until the number that is wanted after an edge is written. */
export async function awaitReaction(
  watch: ReplicaWatch,
  { name }: Contestant,
  edge: number,
  wanted: number,
): Promise<Reaction> {
  const look = () => {
    const changes = watch.changesOf(NAMESPACE, name).filter(({ at }) => at >= edge);
    const [first] = changes;
    const full = changes.find(({ replicas }) => replicas === wanted);
    return first !== undefined && full !== undefined && { firstMs: first.at - edge, fullMs: full.at - edge };
  };
  const patience = { what: `${wanted} replicas of ${name}`, timeoutMs: BACK_TIMEOUT_MS, intervalMs: 250 };
  return eventually(look, patience);
}
