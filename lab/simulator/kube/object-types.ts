import type { MatchExpression, Toleration } from '../../../shared/core/config/config';
import type {
  NodeClaimFields,
  NodePoolFields,
  Condition as ObjectCondition,
  Taint,
} from '../../../shared/core/karpenter/objects';

export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly generateName?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: StringMap;
  readonly annotations?: StringMap;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
}

export type StringMap = Readonly<Record<string, string>>;

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** A condition of any object; the additional times are those of Deployments and Nodes. */
export interface Condition extends ObjectCondition {
  readonly lastUpdateTime?: string;
  readonly lastHeartbeatTime?: string;
}

export interface LabelSelector {
  readonly matchLabels?: StringMap;
  readonly matchExpressions?: readonly MatchExpression[];
}

export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly resources?: { readonly requests?: StringMap; readonly limits?: StringMap };
  readonly [field: string]: unknown;
}

export interface TopologySpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: string;
  readonly labelSelector?: LabelSelector;
  readonly matchLabelKeys?: readonly string[];
}

export interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly nodeName?: string;
  readonly nodeSelector?: StringMap;
  readonly affinity?: {
    readonly nodeAffinity?: {
      readonly requiredDuringSchedulingIgnoredDuringExecution?: {
        readonly nodeSelectorTerms: readonly Pick<LabelSelector, 'matchExpressions'>[];
      };
    };
    readonly podAntiAffinity?: {
      readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly Pick<
        TopologySpreadConstraint,
        'topologyKey' | 'labelSelector'
      >[];
    };
  };
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
  readonly tolerations?: readonly Toleration[];
  readonly priorityClassName?: string;
  readonly priority?: number;
  readonly preemptionPolicy?: string;
  readonly terminationGracePeriodSeconds?: number;
  readonly [field: string]: unknown;
}

export interface PodStatus {
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
  readonly conditions?: readonly Condition[];
  readonly nominatedNodeName?: string;
  readonly [field: string]: unknown;
}

export interface Pod extends KubeObject {
  readonly spec: PodSpec;
  readonly status: PodStatus;
}

export interface PodTemplate {
  readonly metadata?: { readonly labels?: StringMap; readonly annotations?: StringMap };
  readonly spec: PodSpec;
}

export interface Deployment extends KubeObject {
  readonly spec: {
    readonly replicas: number;
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
    readonly revisionHistoryLimit?: number;
    readonly strategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly maxSurge?: number | string; readonly maxUnavailable?: number | string };
    };
  };
  readonly status?: DeploymentStatus;
}

export interface DeploymentStatus {
  readonly observedGeneration?: number;
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly unavailableReplicas?: number;
  readonly conditions?: readonly Condition[];
}

export interface ReplicaSet extends KubeObject {
  readonly spec: { readonly replicas: number; readonly selector: LabelSelector; readonly template: PodTemplate };
  readonly status?: DeploymentStatus & { readonly fullyLabeledReplicas?: number };
}

export interface Node extends KubeObject {
  readonly spec?: {
    readonly taints?: readonly Taint[];
    readonly unschedulable?: boolean;
    readonly providerID?: string;
  };
  readonly status?: {
    readonly capacity?: StringMap;
    readonly allocatable?: StringMap;
    readonly conditions?: readonly Condition[];
  };
}

export interface PriorityClass extends KubeObject {
  readonly value: number;
  readonly globalDefault?: boolean;
  readonly preemptionPolicy?: string;
}

export type NodePool = KubeObject & NodePoolFields;

export type NodeClaim = KubeObject & NodeClaimFields;

export interface KubeEvent extends KubeObject {
  readonly involvedObject: { readonly kind: string; readonly name: string };
  readonly reason: string;
  readonly message: string;
  readonly type: 'Normal' | 'Warning';
  readonly count?: number;
  readonly firstTimestamp?: string;
  readonly lastTimestamp?: string;
  readonly source?: { readonly component?: string };
}
