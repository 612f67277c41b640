import type { LiveSource, Window } from '../windows/window';
import type { Comparison } from './schema/alarm-schema';
import type { KarpenterInput } from './schema/karpenter-schema';
import type { PoolInput } from './schema/pool-schema';
import type { StackInput } from './schema/stack-schema';

/** `headroom.yaml`, checked, with every default filled in: plain data that survives JSON. */
export interface Config {
  readonly cluster: ClusterConfig;
  readonly heartbeatSeconds: number;
  readonly headrooms: readonly HeadroomConfig[];
  readonly calendars?: Calendars;
  readonly karpenter?: KarpenterInput;
  readonly stack?: StackInput;
}

/** Lists of local dates, by the names that windows exclude them by. */
export type Calendars = Readonly<Record<string, readonly string[]>>;

export interface ClusterConfig {
  readonly name: string;
  readonly region: string;
  readonly account?: string;
  /** In which step of a rollout over many clusters this one is deployed. */
  readonly wave?: number;
  readonly namespace: string;
  readonly access: 'entry' | 'manual';
  /** Whether windows may be edited in the cluster, without a deploy. */
  readonly liveSchedules?: true;
  /** Absent: heartbeats wake up pods that kube-scheduler leaves behind in a burst. */
  readonly wakeUp?: false;
  readonly vpc?: {
    readonly subnetIds: readonly string[];
    readonly securityGroupIds: readonly string[];
    /** Whether the cluster's security group gets a rule for each of them. */
    readonly admitSecurityGroups?: boolean;
  };
}

/**
 * What one replica of a headroom stands for: free room on a node of its own, a slice packed as Karpenter
 * likes, or a node that exists, used or not. A floor requests nothing; its size is the pool's `minNode`.
 */
export interface Unit {
  readonly kind: 'node' | 'slice' | 'floor';
  readonly requests: Readonly<Record<string, string>>;
}

/** The Deployment or StatefulSet whose pods a headroom is shaped like; all its sizes are in pods of it. */
export interface LikeWorkload {
  readonly kind: 'Deployment' | 'StatefulSet';
  readonly namespace: string;
  readonly name: string;
  /** How many of its pods one pause pod makes room for. @default chosen by their size */
  readonly pods?: number;
}

/** Of a headroom that is for a workload, once that is known: its sizes are in pause pods then. Never in a file. */
export interface Shaped {
  /** How many pods of the workload one pause pod makes room for. */
  readonly pods: number;
  /** What `base` asks for. */
  readonly base: Size;
  /** As written, in pods. */
  readonly max: number;
  /** The size that is asked for: a number, or a share of replicas that were counted. */
  sizeOf(asked: Asked, of?: ShareOf, countedAt?: number): Size;
  /** The most units that are asked for, by what was counted last; of a share that was never counted there is no limit but `max`. */
  unitsOf(asked: Asked, counted: Readonly<Record<string, CountedShare>> | undefined): number;
}

interface ShareOf {
  readonly replicas: number;
}

interface CountedShare extends ShareOf {
  readonly at: number;
}

interface Asked {
  /** In pause pods, or else as `pods`. */
  readonly replicas?: number;
  /** In per cent of the workload's replicas. */
  readonly share?: number | undefined;
  /** As written. */
  readonly pods?: number | undefined;
}

/** A size as the decision adds it up, and as its reason says it. */
export interface Size {
  readonly replicas: number;
  readonly text: string;
  /** The share that is missing in it, because nobody has counted the replicas yet. */
  readonly lacks?: string;
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

export interface MatchExpression {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** One headroom: what stands ready on one NodePool, which may have several. */
export interface HeadroomConfig {
  /** What it is called: its Deployment, its record, what people write in overrides and read in reasons. */
  readonly name: string;
  /** The NodePool whose nodes it is made of. */
  readonly nodePool: string;
  readonly unit: Unit;
  readonly like?: LikeWorkload;
  readonly shaped?: Shaped;
  /** The smallest node that counts, in vCPU, MiB and GPUs as Karpenter labels them. */
  readonly minNode?: { readonly cpu?: number; readonly memoryMiB?: number; readonly gpus?: number };
  readonly base: number;
  /** Instead of `base`: a share of the workload's replicas, in per cent. */
  readonly baseShare?: number;
  /** Where `base` comes from, if it was not deployed. */
  readonly liveBase?: LiveSource;
  readonly max: number;
  /** How long before its start a window is requested; with `autoLead` as long as nothing is known of the nodes. */
  readonly leadMinutes: number;
  readonly autoLead?: AutoLead;
  readonly image: string;
  /** The Secrets with which the images are pulled, and what admission policies demand of the pause pods. */
  readonly imagePullSecrets?: readonly string[];
  readonly podLabels?: Readonly<Record<string, string>>;
  readonly podAnnotations?: Readonly<Record<string, string>>;
  /** Absent: the NodePool's own taints, read from the cluster. */
  readonly tolerations?: readonly Toleration[];
  readonly nodeAffinity: readonly MatchExpression[];
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly spreadZones: boolean;
  readonly warmImages: readonly string[];
  /** Price of one node-hour of the NodePool. */
  readonly price?: number;
  readonly windows: readonly Window[];
  readonly alarms: readonly AlarmConfig[];
  readonly interruptions?: InterruptionsConfig;
  /** Events of the business that announce peaks. */
  readonly events?: readonly AnnouncedEvent[];
  /** Other NodePools whose nodes count as this one's: its spot twin. */
  readonly twins?: readonly string[];
  /** The `pool` block of the NodePool, in each of its headrooms. */
  readonly pool?: PoolInput;
}

/** A lead time that follows how long the nodes of the NodePool take. */
export interface AutoLead {
  /** Bounds of the time that nodes are taken to need. */
  readonly minMinutes: number;
  readonly maxMinutes: number;
  /** Only the heartbeat knows when such a window is to be requested, so that it is requested this much earlier. */
  readonly heartbeatMinutes: number;
}

export interface AlarmConfig {
  /** The short name that reasons show. */
  readonly name: string;
  /** The name that CloudWatch knows. */
  readonly alarmName: string;
  readonly add: number;
  /** Configured with `addNodes`: `add` nodes on top of those that are counted when it goes to ALARM. */
  readonly relative?: true;
  /** Instead of `add`: a share of the workload's replicas, in per cent. */
  readonly share?: number;
  /** `add` as written, where that is in pods of a workload. */
  readonly pods?: number;
  readonly holdSeconds: number;
  /** Present when the CDK app creates the alarm. */
  readonly create?: MetricAlarm;
}

export interface MetricAlarm {
  readonly namespace: string;
  readonly metric: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly statistic: string;
  readonly periodSeconds: number;
  readonly evaluationPeriods: number;
  readonly comparison: Comparison;
  readonly threshold: number;
}

export interface InterruptionsConfig {
  /** Replicas added for each node that is about to be taken away. */
  readonly surge: number;
  /** The most replicas that surges may add together. */
  readonly max: number;
  readonly holdSeconds: number;
  readonly on: readonly string[];
}

/** An event that announces a peak: a window that happens once. */
export interface AnnouncedEvent {
  readonly name: string;
  /** The name or the ARN of the event bus. */
  readonly bus: string;
  /** EventBridge patterns of the event that announces a peak, and of the one that takes it back. */
  readonly pattern: Readonly<Record<string, unknown>>;
  readonly cancel?: Readonly<Record<string, unknown>>;
  readonly replicas: number;
  /** Instead of `replicas`: a share of the workload's replicas, in per cent. */
  readonly share?: number;
  /** `replicas` as written, where that is in pods of a workload. */
  readonly pods?: number;
  /** Configured with `addNodes`: `replicas` are added to the nodes that are counted when it is requested. */
  readonly relative?: true;
  /** How long the peak lasts from the event's own time; absent if the event says from when to when. */
  readonly holdSeconds?: number;
  /** Where the event says from when to when, and what tells its peaks apart: paths such as `$.detail.campaign.id`. */
  readonly from?: string;
  readonly to?: string;
  readonly key?: string;
  /** How much earlier than the lead time its peaks are requested: only heartbeats see their edges. */
  readonly earlyMinutes: number;
}

/** The headrooms on a NodePool. */
export function headroomsOn(nodePool: string, { headrooms }: Pick<Config, 'headrooms'>): readonly HeadroomConfig[] {
  return headrooms.filter((headroom) => headroom.nodePool === nodePool);
}

/** What to write instead of a name that is no headroom: those on the NodePool of that name, or all. */
export function noHeadroomText(name: string, config: Pick<Config, 'headrooms'>): string {
  const on = headroomsOn(name, config).map((one) => one.name);
  const all = config.headrooms.map((one) => one.name);
  return on.length > 0
    ? `is a NodePool with ${on.length === 1 ? 'the headroom' : 'several headrooms'}; write ${on.length === 1 ? on[0] : `one of ${on.join(', ')}`}`
    : `is not in the config; write one of ${all.join(', ')}`;
}

/** The config as the functions read it: without the parts that only a deploy needs. Deployed windows have their dates; live ones need the calendars. */
export function runtimeConfig({ karpenter: _, stack: __, calendars, headrooms, ...rest }: Config): Config {
  const { wave: ___, vpc: ____, ...cluster } = rest.cluster;
  return {
    ...rest,
    cluster,
    headrooms: headrooms.map(({ pool: _, ...headroom }) => headroom),
    ...(calendars && rest.cluster.liveSchedules && { calendars }),
  };
}
