/** A pod, as facts identify it. */
export interface PodRef {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly priority: number;
  /** The Deployment that it belongs to. */
  readonly deployment?: string;
}

/** A node that Karpenter bought or is buying. */
export interface NodeRef {
  readonly nodeClaim: string;
  readonly nodePool: string;
  readonly instanceId: string;
  /** The name of the Node, known before it registers. */
  readonly node: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: 'on-demand' | 'spot';
  readonly pricePerHour: number;
}

/** EC2 will take the instance back at `endsAt`. */
export interface SpotNotice {
  readonly node: NodeRef;
  readonly endsAt: number;
}

export type LeavingReason = 'empty' | 'underutilized' | 'interrupted' | 'expired' | 'deleted';

/** Something that happened in the simulated cluster, at a moment in milliseconds. */
export type Fact = { readonly at: number } & (
  | { readonly kind: 'podCreated'; readonly pod: PodRef }
  | { readonly kind: 'podUnschedulable'; readonly pod: PodRef; readonly message: string }
  | { readonly kind: 'podScheduled'; readonly pod: PodRef; readonly node: string }
  /** It runs; `waitedMs` since its creation. */
  | { readonly kind: 'podRunning'; readonly pod: PodRef; readonly node: string; readonly waitedMs: number }
  | { readonly kind: 'podPreempted'; readonly pod: PodRef; readonly node: string; readonly by: PodRef }
  | { readonly kind: 'podEvicted'; readonly pod: PodRef; readonly node: string; readonly why: LeavingReason }
  | { readonly kind: 'podGone'; readonly pod: PodRef; readonly node?: string }
  | { readonly kind: 'nodeOrdered'; readonly node: NodeRef; readonly pods: number }
  /** The instance runs, and costs money from now on. */
  | { readonly kind: 'nodeLaunched'; readonly node: NodeRef }
  /** It is ready for pods; `tookMs` since it was ordered. */
  | { readonly kind: 'nodeReady'; readonly node: NodeRef; readonly tookMs: number }
  | { readonly kind: 'nodeLeaving'; readonly node: NodeRef; readonly why: LeavingReason }
  /** The instance has ended, and costs nothing any more. */
  | { readonly kind: 'nodeGone'; readonly node: NodeRef; readonly why: LeavingReason }
  | ({ readonly kind: 'spotNotice' } & SpotNotice)
  /** Karpenter found no way to place pods: limits, or nothing that fits. */
  | { readonly kind: 'provisioningFailed'; readonly pods: number; readonly why: string }
);
