import type { HeadroomConfig, LikeWorkload } from '../config/config';
import type { HeadroomContent } from '../manifests/pause-deployment';
import { followBase } from './follow-base';
import type { KeptLike } from './kept-like';
import { MAX_KEPT_LIKE } from './read-kept-like';
import { shapeOf } from './shape';
import { inUnits, podsOfShare } from './share-sizes';
import type { WorkloadObject } from './workload';

/** What the NodePool needs of pods. */
export type Needs = Pick<HeadroomContent, 'defaultTolerations' | 'zones' | 'labelPrefix'>;

/** A path and a status fit. */
const MAX_PROBLEM = 300;
const MAX_AHEAD_MS = 300_000;

/** What reading a workload gave. */
export type WorkloadReading =
  | { readonly kind: 'found'; readonly object: WorkloadObject }
  | { readonly kind: 'unread'; readonly problem: string };

export type LikeHeadroom = HeadroomConfig & { readonly like: LikeWorkload };

export interface KeepInput {
  readonly pool: LikeHeadroom;
  readonly namespace: string;
  readonly kept: KeptLike | undefined;
  readonly reading: WorkloadReading;
  readonly now: number;
}

export interface Keeping {
  readonly kept: KeptLike;
  /** Of the workload, if it could be used. */
  readonly replicas?: number;
}

/** `Deployment shop/checkout on web`. */
export function workloadText({ like: { kind, namespace, name }, nodePool }: KeepInput['pool']): string {
  return `${kind} ${namespace}/${name} on ${nodePool}`;
}

/**
 * What a Deployment keeps after its workload was read. A workload that is missing, cannot be read or has no shape
 * changes nothing but since when that is so; the first reason stays, because each new one would be a write.
 */
export function keepLike({ pool, namespace, kept, reading, now }: KeepInput): Keeping {
  const workload = workloadText(pool);
  const { unread, unreadSince, broken: _broken, ...rest } = kept?.workload === workload ? kept : { workload };
  const wrong = (problem: string): Keeping => {
    const since = unreadSince !== undefined && Date.parse(unreadSince) - now < MAX_AHEAD_MS ? unreadSince : undefined;
    const text = since === undefined ? undefined : unread;
    return {
      kept: {
        ...rest,
        unreadSince: since ?? new Date(now).toISOString(),
        unread: text ?? problem.replace(/[^ -~]/g, '?').slice(0, MAX_PROBLEM),
      },
    };
  };
  if (reading.kind === 'unread') return wrong(reading.problem);
  const shaping = shapeOf(reading.object, { like: pool.like, namespace, nodePool: pool.nodePool });
  if ('problem' in shaping) return wrong(shaping.problem);
  const { shape, replicas } = shaping;
  const { baseShare, max } = pool;
  // As pause pods: what makes no difference there is not written.
  const sizeOf = (count: number) => inUnits(Math.min(podsOfShare(baseShare ?? 0, count), max), shape.pods);
  const { base: before, ...others } = rest;
  const base = baseShare === undefined ? undefined : followBase(before, replicas, now, sizeOf);
  const keeping = { ...others, shape, ...(base && { base }) };
  if (bytes(keeping) > MAX_KEPT_LIKE)
    return wrong(`its pods' needs take ${bytes(keeping)} bytes, more than ${MAX_KEPT_LIKE}; write fewer`);
  return { kept: keeping, replicas };
}

/** With what the NodePool needs of pods now. What does not fit is read from the NodePool alone. */
export function withNeeds(kept: KeptLike, now: Needs | undefined): KeptLike {
  if (!now) return kept;
  const { defaultTolerations, zones, labelPrefix } = now;
  const needs = { tolerations: defaultTolerations, ...(zones && { zones }), ...(labelPrefix && { labelPrefix }) };
  const whole = { ...kept, needs };
  return bytes(whole) > MAX_KEPT_LIKE ? kept : whole;
}

/** In one order, so that what is the same is not written again. */
export function writeKeptLike({ workload, shape, base, needs, unreadSince, unread, broken }: KeptLike): string {
  return JSON.stringify({ workload, shape, base, needs, unreadSince, unread, broken });
}

function bytes(kept: KeptLike): number {
  return new TextEncoder().encode(writeKeptLike(kept)).length;
}
