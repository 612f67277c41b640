import type { Config, HeadroomConfig } from '../config/config';
import type { AlarmState, HeadstartEvent } from '../events/event';
import type { NodeClaimShape } from '../karpenter/can-land';
import type { LikeWorkloads } from '../like/like-workloads';
import type { LiveSchedules } from '../live/live-schedules';
import type { DeploymentManifest } from '../manifests/pause-deployment';

/** A pause-pod Deployment as it is in the cluster. */
export interface CurrentHeadroom {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly replicas: number;
  readonly ready: number;
  /** When Headstart last changed it. */
  readonly writtenAt?: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** The manager other than Headstart that owns `spec.replicas`. */
  readonly scaledBy?: string;
  /** The last writer other than Headstart. */
  readonly changedBy?: string;
  /** It is being deleted. */
  readonly deleting?: true;
  /** The object itself, to compare with the manifest. */
  readonly object: unknown;
}

/** What is read of a NodePool. */
export interface NodePoolFacts {
  readonly name: string;
  readonly taints: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  /** The zones that it is limited to; absent if it may use any. */
  readonly zones?: readonly string[];
  /** The API group of its node class, which is the prefix of its nodes' instance labels. */
  readonly nodeClassGroup?: string;
  /** The most that it may hold of each resource, and what it holds. */
  readonly limits?: Readonly<Record<string, string>>;
  readonly used?: Readonly<Record<string, string>>;
  /** Why Karpenter launches nothing for it. */
  readonly notReady?: string;
}

/** What surges need of a NodeClaim. */
export interface NodeClaimFacts {
  readonly instanceId: string;
  readonly nodePool: string;
  /** Absent where only the instances were read. */
  readonly deleting?: boolean;
}

/** How far a NodeClaim is on its way to an initialized node. */
export interface NodeStart {
  readonly nodePool: string;
  /** Distinguishes it from others that were created in the same second. */
  readonly id: string;
  readonly createdAt: number;
  readonly initializedAt?: number;
  readonly deleting: boolean;
  /** What it waits for, in Karpenter's words. */
  readonly waitsFor?: string;
}

/** A NodeClaim; each part is absent if its fields are not set yet. */
export interface NodeClaim {
  readonly facts?: NodeClaimFacts | undefined;
  readonly shape?: NodeClaimShape;
  readonly start?: NodeStart | undefined;
}

export interface NodeClaimsRead {
  /** @default all */
  readonly nodePools?: readonly string[];
  /** Only which instance is of which NodePool: much less to send and to read. @default false */
  readonly instancesOnly?: boolean;
}

/** The part of the cluster that Headstart reads and changes. */
export interface Cluster {
  /** All Deployments with our label in our namespace. */
  listHeadrooms(): Promise<readonly CurrentHeadroom[]>;
  readHeadroom(name: string): Promise<CurrentHeadroom | undefined>;
  /** Fails with a `ConflictError` if it already exists. */
  createHeadroom(manifest: DeploymentManifest): Promise<CurrentHeadroom>;
  /** Fails with a `ConflictError` if the object changed since `resourceVersion`. */
  applyHeadroom(manifest: DeploymentManifest, resourceVersion: string): Promise<CurrentHeadroom>;
  /** Fails with a `ConflictError` if the object is not the one that was read, or changed since. */
  deleteHeadroom(headroom: CurrentHeadroom): Promise<void>;
  listNodePools(): Promise<readonly NodePoolFacts[]>;
  /** Passes NodeClaims to the visitor that `begin` returns. An expired list starts again with a new visitor. */
  readNodeClaims(begin: () => (claim: NodeClaim) => void, which?: NodeClaimsRead): Promise<void>;
  /** The minor version of the Kubernetes API, 35 for 1.35. */
  kubernetesMinor(): Promise<number>;
}

export interface AlarmReading {
  readonly state: AlarmState;
  readonly at: number;
}

/** The current states of alarms; an alarm that does not exist is missing from the result. */
export interface AlarmStates {
  read(alarmNames: readonly string[]): Promise<ReadonlyMap<string, AlarmReading>>;
}

export interface Log {
  info(message: string, fields: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields: Readonly<Record<string, unknown>>): void;
  error(message: string, fields: Readonly<Record<string, unknown>>): void;
}

/** One NodePool's figures after a reconcile. */
export interface HeadroomFigures {
  readonly headroom: string;
  readonly desired: number;
  readonly ready: number;
  /**
   * The missing nodes of windows that have begun and whose nodes have not been ready yet, or 0; absent if no window
   * of the last day began without its nodes.
   */
  readonly late?: number;
  /** How late so far, or in the end; 0 for nodes that were ready in time, absent if none are late or newly ready. */
  readonly lateBySeconds?: number;
  /** The units that work took; absent if none since they were last counted. */
  readonly taken?: number;
}

/** Counters beside the figures of each NodePool. */
export type Counted =
  | 'rejectedEvents'
  | 'foreignEvents'
  | 'errors'
  | 'unreadableRecords'
  | 'contestedFields'
  | 'missingNodePools'
  | 'liveProblems'
  | 'liveIgnored'
  | 'adminsKept';

export interface Metrics {
  headroom(figures: readonly HeadroomFigures[]): void;
  count(name: Counted, count: number): void;
}

/** Waits before try number `attempt` (1, 2, ...), with jitter. */
export type Sleep = (attempt: number) => Promise<void>;

/** A Kubernetes Event about an object in our namespace. */
export interface ClusterEvent {
  readonly regarding: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    /** Without it `kubectl describe` does not show the Event. */
    readonly uid?: string;
  };
  readonly type: 'Normal' | 'Warning';
  /** In CamelCase, as Kubernetes writes reasons. */
  readonly reason: string;
  readonly note: string;
}

/** A pause pod that kube-scheduler preempted. */
export interface Preemption {
  /** The name of the Deployment. */
  readonly headroom: string;
  /** The name of the pause pod. */
  readonly pod: string;
  readonly at: number;
  /** The pod that took its place, with its namespace. */
  readonly by?: string;
}

/** What was decided for a NodePool. */
export interface DecidedHeadroom {
  readonly pool: HeadroomConfig;
  readonly replicas: number;
}

/** Everything outside the core that processing an event touches. */
export interface Ports {
  readonly cluster: Cluster;
  /** Absent if CloudWatch is not to be read: the recorded states stay. */
  readonly alarms?: AlarmStates;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly sleep: Sleep;
  /** Absent unless windows may be edited in the cluster. */
  readonly live?: LiveSchedules;
  /** Absent unless a headroom is shaped like a workload. */
  readonly like?: LikeWorkloads;
  /** Creates a Kubernetes Event; one that exists already is no failure. Absent where nobody would read them. */
  readonly emit?: (event: ClusterEvent, now: number) => Promise<void>;
  /** Which pause pods kube-scheduler preempted within the last hour; `undefined` if it cannot be read. Only for heartbeats. */
  readonly preemptions?: () => Promise<readonly Preemption[] | undefined>;
  /** Wakes up pods that kube-scheduler left behind in a burst. Only for heartbeats. */
  readonly wakeUp?: (
    headrooms: readonly DecidedHeadroom[],
    preemptions: readonly Preemption[],
    tickAt: number,
  ) => Promise<void>;
}

/** What an event is processed with: the config, the ports and the time. */
export interface Runtime {
  readonly config: Config;
  /** Whose headroom this is: account, region, cluster, namespace and stack, as one text. */
  readonly owner: string;
  readonly ports: Ports;
  readonly now: () => number;
  /** The one kind of event that this function handles. @default any */
  readonly accepts?: HeadstartEvent['kind'];
  /** The config is somebody's file, which may not be the deployed one: an event leaves everything as it is that it is not about. */
  readonly isLocalConfig?: boolean;
}
