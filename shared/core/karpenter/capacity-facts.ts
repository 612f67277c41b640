import { texts } from '../config/schema/quantity';
import type { Condition as AnyCondition, NodeClaimFields, NodePoolFields } from './objects';

/** A condition of any object; its status may be any text. */
export type Condition = Omit<AnyCondition, 'status' | 'lastTransitionTime'> & { readonly status: string };

export interface PodFacts {
  readonly name: string;
  /** Absent while it is not scheduled. */
  readonly node?: string;
  readonly ready: boolean;
  readonly unschedulable?: string;
  /** Why its container does not run, such as an image that cannot be pulled. */
  readonly waiting?: string;
}

export interface NodeFacts {
  readonly name: string;
  readonly createdAt: number;
}

export interface ClaimFacts {
  readonly name: string;
  readonly createdAt: number;
  readonly nodeName?: string;
  readonly conditions: readonly (Condition & Pick<AnyCondition, 'lastTransitionTime'>)[];
}

export interface PoolFacts {
  readonly limits: Readonly<Record<string, string>>;
  readonly used: Readonly<Record<string, string>>;
  readonly conditions: readonly Condition[];
}

export interface CapacityFacts {
  readonly headroom: string;
  readonly nodePool: string;
  readonly pods: readonly PodFacts[];
  readonly nodes: readonly NodeFacts[];
  readonly claims: readonly ClaimFacts[];
  /** `undefined` if there is no such NodePool; not `ok` if it could not be read. */
  readonly pool: { readonly ok: true; readonly value: PoolFacts | undefined } | { readonly ok: false };
  /** Conditions of the Deployment itself. */
  readonly conditions: readonly Condition[];
  /** Why pods were not scheduled, by the scheduler or by Karpenter; the newest last. */
  readonly events: readonly { readonly pod: string; readonly from: string; readonly message: string }[];
}

interface Named {
  readonly metadata?: {
    readonly name?: string;
    readonly creationTimestamp?: string | Date;
    readonly deletionTimestamp?: string | Date;
  };
}

interface PausePod extends Named {
  readonly spec?: { readonly nodeName?: string };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly containerStatuses?: readonly {
      readonly ready?: boolean;
      readonly state?: { readonly waiting?: { readonly reason?: string; readonly message?: string } };
    }[];
  };
}

interface SchedulingEvent {
  readonly involvedObject: { readonly name?: string };
  readonly reason?: string;
  readonly message?: string;
  readonly source?: { readonly component?: string };
  readonly reportingComponent?: string;
  readonly eventTime?: string | Date;
  readonly lastTimestamp?: string | Date;
}

export interface CapacityObjects {
  readonly headroom: string;
  readonly nodePool: string;
  readonly pods: readonly PausePod[];
  readonly nodes: readonly Named[];
  readonly claims: readonly (Named & Partial<NodeClaimFields>)[];
  readonly pool: { readonly ok: true; readonly value: Partial<NodePoolFields> | undefined } | { readonly ok: false };
  readonly conditions: readonly Condition[];
  /** Of the whole namespace. */
  readonly events: readonly SchedulingEvent[];
}

export function capacityFacts({ pods, nodes, claims, pool, events, ...rest }: CapacityObjects): CapacityFacts {
  const staying = pods.filter(({ metadata }) => !metadata?.deletionTimestamp);
  return {
    ...rest,
    pods: staying.map(podFacts),
    nodes: nodes.map(named),
    claims: claims.map(claimFacts),
    pool: pool.ok ? { ok: true, value: pool.value && poolFacts(pool.value) } : pool,
    events: eventFacts(events, new Set(pods.map(({ metadata }) => metadata?.name ?? ''))),
  };
}

function claimFacts(claim: CapacityObjects['claims'][number]): ClaimFacts {
  const { nodeName, conditions = [] } = claim.status ?? {};
  return { ...named(claim), ...(nodeName && { nodeName }), conditions };
}

function poolFacts({ spec, status }: Partial<NodePoolFields>): PoolFacts {
  return { limits: texts(spec?.limits), used: texts(status?.resources), conditions: status?.conditions ?? [] };
}

function named({ metadata }: Named): NodeFacts {
  return { name: metadata?.name ?? '', createdAt: new Date(metadata?.creationTimestamp ?? 0).getTime() };
}

function isTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return (conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');
}

function podFacts({ metadata, spec, status }: PausePod): PodFacts {
  const scheduled = (status?.conditions ?? []).find(({ type }) => type === 'PodScheduled');
  const waiting = status?.containerStatuses?.map(({ state }) => state?.waiting).find((one) => one !== undefined);
  return {
    name: metadata?.name ?? '',
    ...(spec?.nodeName && { node: spec.nodeName }),
    ready: isTrue(status?.conditions, 'Ready'),
    ...(scheduled?.status === 'False' && { unschedulable: scheduled.message ?? scheduled.reason ?? 'not scheduled' }),
    ...(waiting && waiting.reason !== 'ContainerCreating' && { waiting: [waiting.reason, waiting.message].join(': ') }),
  };
}

function eventFacts(events: readonly SchedulingEvent[], own: ReadonlySet<string>): CapacityFacts['events'] {
  const at = (event: SchedulingEvent) => new Date(event.eventTime ?? event.lastTimestamp ?? 0).getTime();
  return events
    .filter(({ involvedObject, reason }) => own.has(involvedObject.name ?? '') && reason === 'FailedScheduling')
    .sort((a, b) => at(a) - at(b))
    .map(({ involvedObject, source, reportingComponent, message }) => ({
      pod: involvedObject.name ?? '',
      from: source?.component ?? reportingComponent ?? '',
      message: message ?? '',
    }));
}
