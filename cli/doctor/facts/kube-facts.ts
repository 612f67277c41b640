import type { CapacityFacts } from '../../../shared/core/karpenter/capacity-facts';
import type { LiveConfigMap } from '../../../shared/core/live/live-text';
import type { Read } from '../../access/read';
import type {
  autoscalerFacts,
  controllerFacts,
  headroomFacts,
  nodePoolFacts,
  priorityClassFacts,
  quotaFacts,
} from './loose-objects';

export type PriorityClassFacts = ReturnType<typeof priorityClassFacts>;
export type NodePoolFacts = ReturnType<typeof nodePoolFacts>;
export type HeadroomFacts = ReturnType<typeof headroomFacts>;
export type ControllerFacts = ReturnType<typeof controllerFacts>;

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
  readonly autoscalers: Read<readonly ReturnType<typeof autoscalerFacts>[]>;
  readonly budgets: Read<readonly { readonly name: string }[]>;
  readonly quotas: Read<readonly ReturnType<typeof quotaFacts>[]>;
  readonly networkPolicies: Read<readonly { readonly name: string }[]>;
  /** How far the cluster's clock is ahead of this machine's. */
  readonly skewMs: Read<number>;
  readonly capacity: readonly CapacityFacts[];
  readonly admissions: readonly Admission[];
  /** Absent where the config has no floor. */
  readonly floors?: FloorFacts;
}
