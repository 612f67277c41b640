import type { KubernetesObject } from '@kubernetes/client-node';
import type { CapacityFacts, Condition } from '../../../shared/core/karpenter/capacity-facts';
import type { LiveConfigMap } from '../../../shared/core/live/live-text';
import type { Read } from '../../access/read';

export interface PriorityClassFacts {
  readonly name: string;
  readonly value: number;
  readonly globalDefault: boolean;
  readonly preemptionPolicy: string;
}

export interface NodePoolFacts {
  readonly name: string;
  readonly limits: Readonly<Record<string, string>>;
  readonly used: Readonly<Record<string, string>>;
  readonly taints: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  /** The API group of its node class, which tells EKS Auto Mode from a self-managed Karpenter. */
  readonly nodeClassGroup?: string;
  readonly consolidationPolicy: string;
  readonly consolidateAfter: string;
  readonly conditions: readonly Condition[];
}

export interface HeadroomFacts {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** The field managers other than Headstart that own `spec.replicas`. */
  readonly replicasOwners: readonly string[];
}

export interface ControllerFacts {
  readonly namespace: string;
  readonly name: string;
  readonly image: string;
  readonly wanted: number;
  readonly ready: number;
  readonly env: Readonly<Record<string, string>>;
}

export interface AutoscalerFacts {
  readonly name: string;
  readonly target: { readonly kind: string; readonly name: string };
}

/** One permission that the functions need. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  /** The one object that the right is about. */
  readonly name?: string;
  readonly namespace?: string;
}

/** A node, with the pods that run on it; `slots` is how many it can run. */
export interface FloorNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly slots?: number;
  readonly pods: number;
}

export interface LimitRangeFacts {
  readonly name: string;
  /** What a container without requests gets. */
  readonly requests: Readonly<Record<string, string>>;
}

/** What floors depend on. */
export interface FloorFacts {
  readonly limitRanges: Read<readonly LimitRangeFacts[]>;
  readonly nodes: Read<readonly FloorNode[]>;
}

/** What the API server said to a dry run of a NodePool's pause pod. */
export interface Admission {
  readonly nodePool: string;
  readonly result: 'admitted' | 'refused' | 'no dry run' | 'not allowed' | 'not deployed' | 'unread';
  readonly why: string;
}

/** Everything that doctor looks at in a cluster. */
export interface KubeFacts {
  readonly namespace: Read<{ readonly labels: Readonly<Record<string, string>> } | undefined>;
  readonly priorityClasses: Read<readonly PriorityClassFacts[]>;
  readonly nodePools: Read<readonly NodePoolFacts[]>;
  readonly headrooms: Read<readonly HeadroomFacts[]>;
  readonly karpenter: Read<readonly ControllerFacts[]>;
  readonly clusterAutoscaler: Read<readonly ControllerFacts[]>;
  /** Permissions that the functions lack. */
  readonly missingRights: Read<readonly Right[]>;
  /** The ConfigMap with the live schedules; absent if they are not configured. */
  readonly live?: Read<LiveConfigMap | undefined>;
  readonly autoscalers: Read<readonly AutoscalerFacts[]>;
  readonly budgets: Read<readonly { readonly name: string }[]>;
  readonly quotas: Read<readonly { readonly name: string; readonly hard: Readonly<Record<string, string>> }[]>;
  readonly networkPolicies: Read<readonly { readonly name: string }[]>;
  /** How far the cluster's clock is ahead of this machine's. */
  readonly skewMs: Read<number>;
  readonly capacity: readonly CapacityFacts[];
  readonly admissions: readonly Admission[];
  /** Absent where the config has no floor. */
  readonly floors?: FloorFacts;
}

/** An API object, loosely typed: doctor reads many kinds but only a few fields of each. */
export interface LooseObject extends KubernetesObject {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}
