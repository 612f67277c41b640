import type { HeadroomConfig } from '../../shared/core/config/config';
import type { FloorUse } from '../../shared/core/karpenter/nodes-in-use';
import { unreadyOccurrences } from '../../shared/core/occurrences/requests';
import type { HeadroomStatus } from '../../shared/core/status';
import { count } from '../../shared/drawing/amounts';
import { figuresOf, type HeadroomFigures, nounOf } from '../../shared/drawing/headroom-figures';
import type { Commands } from '../input/commands';
import type { Read } from '../kube/read';
import { relative } from '../terminal/relative-time';

export interface Trouble {
  /**
   * `short`: fewer are ready than wanted; `late`: a window opened without them; `behind`: the Deployment does not have
   * the decided size; `held`: the record cannot be read; `live`: the live schedules do not count; the others block every change of the size.
   */
  readonly kind: 'short' | 'late' | 'behind' | 'held' | 'noSuchNodePool' | 'foreignOwner' | 'contested' | 'live';
  readonly text: string;
}

/** Every problem of a NodePool, blockers first. */
export function troublesOf(
  view: PoolView,
  { now, commands }: { readonly now: number; readonly commands: Commands },
): readonly Trouble[] {
  return [...blockers(view.status, commands), ...notThereYet(view), ...lateWindows(view, now)];
}

/** Problems that do not resolve themselves. */
export function blockers(
  {
    headroom,
    nodePool = headroom,
    unreadable,
    held,
    contested,
    noSuchNodePool,
    foreignOwner,
    liveProblem,
  }: HeadroomStatus,
  { headstart, deploy }: Commands,
): readonly Trouble[] {
  return troubles({
    held:
      unreadable !== undefined &&
      `part of the record cannot be read, so the headroom is held at ${held} or more; run ${headstart('release', headroom)} to clear it: ${unreadable}`,
    foreignOwner:
      foreignOwner !== undefined &&
      `the Deployment belongs to ${foreignOwner}; give one of the two stacks another cluster.namespace`,
    noSuchNodePool:
      noSuchNodePool &&
      `the cluster has no NodePool ${nodePool}; create it, or remove it from the config and run ${deploy()}`,
    contested:
      contested !== undefined && `somebody else keeps changing ${contested}; exclude the namespace from the other tool`,
    live: liveProblem !== undefined && `live schedules do not count, what was valid before does: ${liveProblem}`,
  });
}

/** What the next heartbeat or Karpenter should resolve. */
function notThereYet(view: PoolView): readonly Trouble[] {
  const { missing, replicas, wanted, shortfall, uncounted } = view.status;
  const behind = missing
    ? 'the Deployment does not exist'
    : uncounted !== undefined
      ? `+${uncounted} nodes requested; baseline not counted yet`
      : replicas !== wanted && `the Deployment has ${replicas} replicas, ${wanted} are decided`;
  const short = shortfall > 0 && `${figuresIn(view).ready} of ${count(wanted, nounIn(view))} ready`;
  return troubles({ behind, short });
}

export function figuresIn({ status: { wanted, ready }, pool, use }: PoolView): HeadroomFigures {
  const taken = use?.ok ? use.value.inUse : undefined;
  return figuresOf(pool?.unit.kind ?? 'node', { wanted, readyPods: ready, taken });
}

export function nounIn({ pool }: PoolView): string {
  return pool ? nounOf(pool) : 'node';
}

/** Those that have a text. */
function troubles(texts: Partial<Record<Trouble['kind'], string | false | undefined>>): readonly Trouble[] {
  return Object.entries(texts).flatMap(([kind, text]) => (text ? [{ kind: kind as Trouble['kind'], text }] : []));
}

function lateWindows({ status, pool }: PoolView, now: number): readonly Trouble[] {
  if (!pool) return [];
  return unreadyOccurrences(status.intents, pool, now)
    .filter(({ occurrence, wanted }) => occurrence.start <= now && wanted > status.ready)
    .map(({ occurrence, wanted }) => ({
      kind: 'late',
      text: `${occurrence.window.name} opened ${relative(occurrence.start, now)} with ${status.ready} of ${wanted} ready`,
    }));
}

export interface StatusView {
  readonly clusterName: string;
  readonly place: string;
  /** What says that this is another cluster than the config's. */
  readonly mismatch?: string;
  readonly now: number;
  readonly pools: readonly PoolView[];
  readonly commands: Commands;
}

export interface PoolView {
  readonly status: HeadroomStatus;
  readonly timezone: string;
  /** Absent if the local config does not have the pool. */
  readonly pool?: HeadroomConfig;
  /** How much of a floor runs work; only known with direct access to the cluster. */
  readonly use?: Read<FloorUse>;
  /** Who edited its live schedules, and when. */
  readonly edits?: readonly string[];
  /** Why capacity is missing; only known with direct access to the cluster. */
  readonly why: readonly string[];
}
