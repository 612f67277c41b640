import { isDeepStrictEqual } from 'node:util';
import type { Deployment } from '../../../lab/simulator/kube/object-types';
import type { HeadroomConfig } from '../../../shared/core/config/config';
import type { Invocation } from '../environment/invocation';
import type { World } from '../environment/world';
import type { ModelledPool } from '../model/expected-like';
import type { WrittenRecord } from '../model/written-record';

const PREFIX = 'headstart.dev/';

/** One write of a function, beside the object that it was decided on. */
export interface ModelledWrite {
  readonly by: Invocation;
  /** With the live schedules that count, and what is known of its workload. */
  readonly pool: ModelledPool;
  /** What the reasons say about live schedules and workloads. */
  readonly sourceReasons: readonly string[];
  readonly object: Deployment;
  readonly previous: Deployment | undefined;
  readonly before: WrittenRecord;
  readonly after: WrittenRecord;
  /** The record that the size was decided on: what is ready now was not known to be so yet. */
  readonly decided: WrittenRecord;
  /** The time that the function decided for. */
  readonly now: number;
  readonly world: World;
}

export function annotation(object: Deployment | undefined, name: string): string | undefined {
  return object?.metadata.annotations?.[`${PREFIX}${name}`];
}

export function differs(what: string, written: unknown, expected: unknown): string | undefined {
  if (isDeepStrictEqual(clean(written), clean(expected))) return undefined;
  return `${what} is ${JSON.stringify(written)}, and ${JSON.stringify(expected)} is right`;
}

/** What Headstart decided last, and so wrote; a size that somebody else set counts up to `max`. */
export function lastDecided(previous: Deployment | undefined, { max }: HeadroomConfig, world: World): number {
  const decided = annotation(previous, 'decided-replicas');
  if (decided !== undefined && /^\d+$/.test(decided)) return Number(decided);
  if (!previous) return 0;
  return world.scaledByHand.has(previous) ? Math.min(previous.spec.replicas, max) : previous.spec.replicas;
}

/** Without what is `undefined`, as JSON has it. */
export function clean(value: unknown): unknown {
  return value === undefined ? {} : JSON.parse(JSON.stringify(value));
}

/** Whether a function can only have seen the NodePools and NodeClaims that there are now. */
export function sawNodes({ by, world }: Pick<ModelledWrite, 'by' | 'world'>): boolean {
  return world.nodesChangedAt < by.startedAt && by.absorbable + by.timeouts === 0 && !by.blind;
}

export function decidedOn(before: WrittenRecord, after: WrittenRecord): WrittenRecord {
  const requests = Object.entries(after.requests).map(([key, { ready: _ready, why: _why, ...request }]) => {
    const { ready, why } = before.requests[key] ?? {};
    return [key, { ...request, ...(ready && { ready }), ...(why && { why }) }];
  });
  return { ...after, requests: Object.fromEntries(requests) };
}

const modelled = new WeakMap<Invocation, Map<string, ModelledWrite>>();

/** Every headroom's last write of an invocation, as the model has worked it out. */
export function modelledBy(invocation: Invocation): Map<string, ModelledWrite> {
  const known = modelled.get(invocation) ?? new Map<string, ModelledWrite>();
  modelled.set(invocation, known);
  return known;
}
