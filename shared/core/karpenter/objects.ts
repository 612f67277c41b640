import type { MatchExpression } from '../config/config';

type StringMap = Readonly<Record<string, string>>;

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

/** Why a condition is as it is, as well as it says. */
export function conditionText({ type, reason, message }: Pick<Condition, 'type' | 'reason' | 'message'>): string {
  return message || reason || type;
}

export interface NodeClassRef {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

export interface DisruptionBudget {
  readonly nodes: string;
  readonly reasons?: readonly string[];
  readonly schedule?: string;
  readonly duration?: string;
}

export interface NodePoolFields {
  readonly spec: {
    readonly template: {
      readonly metadata?: { readonly labels?: StringMap; readonly annotations?: StringMap };
      readonly spec: {
        readonly requirements?: readonly MatchExpression[];
        readonly taints?: readonly Taint[];
        readonly nodeClassRef?: NodeClassRef;
        readonly expireAfter?: string;
      };
    };
    readonly disruption?: {
      readonly consolidationPolicy?: string;
      readonly consolidateAfter?: string;
      readonly budgets?: readonly DisruptionBudget[];
    };
    readonly limits?: Readonly<Record<string, string | number>>;
    readonly weight?: number;
  };
  readonly status?: {
    readonly nodes?: number;
    readonly resources?: StringMap;
    readonly conditions?: readonly Condition[];
  };
}

export interface NodeClaimFields {
  readonly spec: {
    readonly requirements: readonly MatchExpression[];
    readonly taints?: readonly Taint[];
    readonly nodeClassRef: NodeClassRef;
    readonly resources?: { readonly requests?: StringMap };
    readonly expireAfter?: string;
  };
  readonly status?: {
    readonly providerID?: string;
    readonly nodeName?: string;
    readonly capacity?: StringMap;
    readonly allocatable?: StringMap;
    readonly conditions?: readonly Condition[];
    readonly imageID?: string;
    readonly lastPodEventTime?: string;
  };
}
