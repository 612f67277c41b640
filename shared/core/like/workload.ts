import type { MatchExpression, Toleration } from '../config/config';

/** A Deployment or StatefulSet, as far as its pods' place on nodes depends on it. What is not as expected is refused. */
export interface WorkloadObject {
  readonly metadata?: { readonly labels?: Texts; readonly uid?: string };
  readonly spec?: { readonly replicas?: number; readonly template?: PodTemplate };
}

export type Texts = Readonly<Record<string, string>>;

export interface PodTemplate {
  readonly metadata?: { readonly labels?: Texts };
  readonly spec?: PodSpec;
}

export interface PodSpec {
  readonly containers?: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly resources?: Resources;
  readonly overhead?: Readonly<Record<string, string | number>>;
  readonly nodeSelector?: Texts;
  readonly tolerations?: readonly Toleration[];
  readonly topologySpreadConstraints?: readonly SpreadConstraint[];
  readonly affinity?: {
    readonly nodeAffinity?: {
      readonly requiredDuringSchedulingIgnoredDuringExecution?: { readonly nodeSelectorTerms?: readonly NodeTerm[] };
    };
    readonly podAntiAffinity?: {
      readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodTerm[];
    };
  };
}

export interface Container {
  readonly resources?: Resources;
  readonly restartPolicy?: string;
}

export interface Resources {
  readonly requests?: Readonly<Record<string, string | number>>;
  readonly limits?: Readonly<Record<string, string | number>>;
}

/** One of the alternatives of a node affinity: all of its expressions. */
export interface NodeTerm {
  readonly matchExpressions?: readonly MatchExpression[];
  readonly matchFields?: readonly MatchExpression[];
}

export interface LabelSelector {
  readonly matchLabels?: Texts;
  readonly matchExpressions?: readonly MatchExpression[];
}

interface PodTerm {
  readonly topologyKey?: string;
  readonly labelSelector?: LabelSelector;
  readonly namespaces?: readonly string[];
}

export interface SpreadConstraint {
  readonly maxSkew?: number;
  readonly minDomains?: number;
  readonly topologyKey?: string;
  readonly whenUnsatisfiable?: string;
  readonly labelSelector?: LabelSelector;
  readonly nodeAffinityPolicy?: string;
  readonly nodeTaintsPolicy?: string;
}
