import type { Config } from '../config/config';
import type { AlarmState, HeadstartEvent } from '../events/event';
import type { NodeClaimShape } from '../karpenter/can-land';
import type { DeploymentManifest } from '../manifests/pause-deployment';

/** A pause-pod Deployment as the cluster shows it. */
export interface LiveHeadroom {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly replicas: number;
  readonly ready: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Who last changed the size, where that was not us. */
  readonly scaledBy?: string;
  /** Who last changed anything that we state, where that was not us. */
  readonly changedBy?: string;
  /** Its deletion has begun, and something holds it. */
  readonly deleting?: true;
  /** The object itself, to compare with the manifest. */
  readonly object: unknown;
}

/** What headroom needs to know of a NodePool. */
export interface NodePoolFacts {
  readonly name: string;
  readonly taints: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  /** The zones that it is limited to; absent where it may use any. */
  readonly zones?: readonly string[];
  /** The API group of its node class, which is the prefix of its nodes' instance labels. */
  readonly nodeClassGroup?: string;
  /** The most that it may hold of each resource, and what it holds. */
  readonly limits?: Readonly<Record<string, string>>;
  readonly used?: Readonly<Record<string, string>>;
  /** Why Karpenter launches nothing for it. */
  readonly notReady?: string;
}

/** What surges need to know of a NodeClaim. */
export interface NodeClaimFacts {
  readonly instanceId: string;
  readonly nodePool: string;
  readonly deleting: boolean;
}

/** How far a NodeClaim is on its way to a node that takes pods. */
export interface NodeStart {
  readonly nodePool: string;
  /** Tells it from others that were created in the same second. */
  readonly id: string;
  readonly createdAt: number;
  readonly initializedAt?: number;
  readonly deleting: boolean;
  /** What it waits for, in Karpenter's words. */
  readonly waitsFor?: string;
}

/** A NodeClaim, as far as it tells what each of these needs. */
export interface NodeClaim {
  readonly facts?: NodeClaimFacts | undefined;
  readonly shape?: NodeClaimShape;
  readonly start?: NodeStart | undefined;
}

/** The part of the cluster that Headstart reads and changes. */
export interface Cluster {
  /** All Deployments with our label in our namespace. */
  listHeadrooms(): Promise<readonly LiveHeadroom[]>;
  readHeadroom(name: string): Promise<LiveHeadroom | undefined>;
  /** Fails with a `ConflictError` when it is already there. */
  createHeadroom(manifest: DeploymentManifest): Promise<LiveHeadroom>;
  /** Fails with a `ConflictError` when the object changed since `resourceVersion`. */
  applyHeadroom(manifest: DeploymentManifest, resourceVersion: string): Promise<LiveHeadroom>;
  /** Fails with a `ConflictError` when the object is not the one that was read. */
  deleteHeadroom(headroom: LiveHeadroom): Promise<void>;
  listNodePools(): Promise<readonly NodePoolFacts[]>;
  /** Shows every NodeClaim, or those of these NodePools, to what `begin` returns, page by page; a list that expires half-way begins anew. */
  readNodeClaims(begin: () => (claim: NodeClaim) => void, nodePools?: readonly string[]): Promise<void>;
  /** The minor version of the Kubernetes API, 35 for 1.35. */
  kubernetesMinor(): Promise<number>;
}

export interface AlarmReading {
  readonly state: AlarmState;
  readonly at: number;
}

/** The alarms' own states; a name that is missing in the answer belongs to no alarm. */
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
  readonly nodePool: string;
  readonly desired: number;
  readonly ready: number;
  readonly shortfall: number;
  /** The nodes that a window has begun without and that have not been ready since. */
  readonly late: number;
  /** By how much: so far, or when they are ready; 0 for nodes that were ready in time, absent where there is no news. */
  readonly lateBySeconds?: number;
}

/** What is counted beside the figures of each NodePool. */
export type Counted =
  | 'rejectedEvents'
  | 'foreignEvents'
  | 'errors'
  | 'unreadableRecords'
  | 'contestedFields'
  | 'missingNodePools';

export interface Metrics {
  headroom(figures: readonly HeadroomFigures[]): void;
  count(name: Counted, count: number): void;
}

/** Waits before try number `attempt` (1, 2, ...), with jitter. */
export type Pause = (attempt: number) => Promise<void>;

/** Everything outside the core that processing an event touches. */
export interface Ports {
  readonly cluster: Cluster;
  /** Absent where CloudWatch is not to be asked: the recorded states stay. */
  readonly alarms?: AlarmStates;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly pause: Pause;
}

/** What an event is processed with: what the operator wrote, the world outside, and the time. */
export interface Service {
  readonly config: Config;
  /** Whose headroom this is: account, region, cluster, namespace and stack, as one text. */
  readonly owner: string;
  readonly ports: Ports;
  readonly now: () => number;
  /** The one kind of event that this function is there for. @default any */
  readonly accepts?: HeadstartEvent['kind'];
}
