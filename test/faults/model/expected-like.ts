import type { AlarmConfig, HeadroomConfig, Shaped } from '../../../shared/core/config/config';
import type { Window } from '../../../shared/core/windows/window';
import {
  ALL_PODS,
  CARTS,
  CHECKOUT,
  type Placed,
  type PodsOfWorkload,
  type WorkloadSight,
} from '../environment/workloads';

/** The annotation `headstart.dev/like`, as it is written. */
export interface WrittenLike {
  readonly workload: string;
  readonly shape?: WrittenShape;
  readonly base?: Followed;
  readonly needs?: object;
  readonly unreadSince?: string;
  readonly unread?: string;
}

export interface Followed {
  readonly replicas: number;
  readonly lowSince?: string;
  readonly again?: number;
}

type WrittenShape = Placed & { readonly pods: number; readonly requests: Readonly<Record<string, string>> };

/** A headroom with what counts for it, and where its pods may be. */
export type ModelledPool = HeadroomConfig & { readonly placed?: Placed };

/** Three heartbeats, of which each may be a little early. */
const LOUD_AFTER_MS = 90_000;

export function workloadPath({ like }: Pick<HeadroomConfig, 'like'>): string | undefined {
  return like && (like.kind === 'Deployment' ? CHECKOUT : CARTS);
}

/** What is kept of the workload that a headroom is for; of another one nothing counts. */
export function writtenLike({ like, nodePool }: HeadroomConfig, text: string | undefined): WrittenLike | undefined {
  if (!like || !text) return undefined;
  const kept = JSON.parse(text) as WrittenLike;
  return kept.workload === `${like.kind} ${like.namespace}/${like.name} on ${nodePool}` ? kept : undefined;
}

/** Whether functions have to fail, because the workload could not be used for the third time. */
export function isLoudlyUnusable(like: WrittenLike | undefined, now: number): boolean {
  return like?.unreadSince !== undefined && now - Date.parse(like.unreadSince) >= LOUD_AFTER_MS;
}

/** What has to be kept once the workload was read, without what `base` follows, which has rules of its own. */
export function expectedLike(
  { like }: Pick<HeadroomConfig, 'like'>,
  before: WrittenLike | undefined,
  sight: WorkloadSight,
  now: number,
): Pick<WrittenLike, 'shape' | 'unreadSince'> & { readonly problem?: RegExp } {
  const problem = problemOf(sight);
  if (problem || !('pods' in sight))
    return {
      ...(before?.shape && { shape: before.shape }),
      unreadSince: before?.unreadSince ?? new Date(now).toISOString(),
      problem: before?.unreadSince === undefined ? (problem ?? /./) : /./,
    };
  return { shape: shapeOf(sight.pods, like?.pods) };
}

function problemOf(sight: WorkloadSight): RegExp | undefined {
  if (!('pods' in sight)) return sight.problem;
  return sight.isOurs ? /Headstart's own/ : sight.pods.problem;
}

/** The replicas that were read, if the workload can be used. */
export function replicasIn(sight: WorkloadSight | undefined): number | undefined {
  return sight && 'pods' in sight && !problemOf(sight) ? sight.replicas : undefined;
}

function shapeOf({ pods: usual, requests, placed }: PodsOfWorkload, written: number | undefined): WrittenShape {
  const pods = usual === undefined ? 1 : (written ?? usual);
  return { pods, requests: requests(1), ...placed };
}

const UNKNOWN: WrittenShape = { pods: 0, requests: {} };

/** The rules of sizes in pods, written again: every size in pause pods, rounded up, and its text in pods. */
export function poolWithLike(pool: HeadroomConfig, kept: WrittenLike | undefined): ModelledPool {
  const { like, base, baseShare, max, interruptions } = pool;
  if (!like) return pool;
  const { pods, requests, ...placed } = kept?.shape ?? UNKNOWN;
  const units = (count: number) => (pods === 0 ? 0 : Math.ceil(count / pods));
  const sizeOf: Shaped['sizeOf'] = ({ share, pods: written = 0 }, of) => {
    if (share !== undefined && !of) return { replicas: 0, text: '', lacks: 'its replicas' };
    const count = share === undefined ? written : sharePods(share, of?.replicas ?? 0);
    const replicas = `${of?.replicas} replica${of?.replicas === 1 ? '' : 's'}`;
    const source = share === undefined ? '' : `${share} % of the ${replicas} of ${like.namespace}/${like.name} = `;
    const isUnknown = pods === 0 && count > 0;
    return { replicas: units(count), text: `${source}${podsText(count)}`, ...(isUnknown && { lacks: 'its shape' }) };
  };
  // Lead times of these headrooms are written, so that no size is asked for ahead.
  const unitsOf = () => units(max);
  const shaped: Shaped = { pods, max, sizeOf, unitsOf, base: sizeOf({ share: baseShare, pods: base }, kept?.base) };
  const row = ALL_PODS.find(({ requests: each }) => JSON.stringify(each(1)) === JSON.stringify(requests));
  const window = (one: Window) => ({ ...one, replicas: units(one.replicas), pods: one.replicas });
  const alarm = (one: AlarmConfig) => ({ ...one, add: units(one.add), pods: one.add });
  return {
    ...pool,
    shaped,
    unit: { kind: placed.apart ? 'node' : 'slice', requests: row?.requests(pods) ?? {} },
    base: shaped.base.replicas,
    max: pods === 0 ? max : units(max),
    placed,
    nodeSelector: { ...placed.nodeSelector, ...pool.nodeSelector },
    spreadZones: pool.spreadZones || placed.spreads !== undefined,
    windows: pool.windows.map(window),
    alarms: pool.alarms.map(alarm),
    ...(interruptions &&
      pods > 0 && {
        interruptions: { ...interruptions, surge: units(interruptions.surge), max: units(interruptions.max) },
      }),
  };
}

/** Rounded up, and never none. */
export function sharePods(share: number, replicas: number): number {
  return Math.max(Math.ceil((replicas * share) / 100), 1);
}

export function podsText(count: number): string {
  return `${count} pod${count === 1 ? '' : 's'}`;
}

export function likeReasons({ like }: HeadroomConfig, kept: WrittenLike | undefined): readonly string[] {
  if (!like) return [];
  const workload = `${like.namespace}/${like.name}`;
  const unshaped = `the pods of ${workload} are not known yet: the size stays, and an override applies once they are, exactly 0 at once`;
  const { unread, unreadSince } = kept ?? {};
  return [
    ...(kept?.shape ? [] : [unshaped]),
    ...(unread === undefined
      ? []
      : [`${workload} not usable since ${unreadSince}, so its last known shape and replicas apply: ${unread}`]),
  ];
}
