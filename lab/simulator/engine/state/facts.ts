export interface PodRef {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly priority: number;
  /** The Deployment that it belongs to. */
  readonly deployment?: string;
}

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

/** EC2 will reclaim the instance at `endsAt`. */
export interface SpotNotice {
  readonly node: NodeRef;
  readonly endsAt: number;
}

export type LeavingReason = 'empty' | 'underutilized' | 'interrupted' | 'expired' | 'deleted';

/** Something that happened in the simulated cluster, with its time in milliseconds. */
export type Fact = { readonly at: number } & (
  | { readonly kind: 'podCreated'; readonly pod: PodRef }
  | { readonly kind: 'podScheduled'; readonly pod: PodRef; readonly node: string }
  /** `waitedMs` is the time since its creation. */
  | { readonly kind: 'podRunning'; readonly pod: PodRef; readonly node: string; readonly waitedMs: number }
  | { readonly kind: 'podPreempted'; readonly pod: PodRef; readonly node: string; readonly by: PodRef }
  | { readonly kind: 'podEvicted'; readonly pod: PodRef; readonly node: string; readonly why: LeavingReason }
  | { readonly kind: 'podGone'; readonly pod: PodRef; readonly node?: string }
  | { readonly kind: 'nodeOrdered'; readonly node: NodeRef; readonly pods: number }
  /** The instance runs, and is billed from now on. */
  | { readonly kind: 'nodeLaunched'; readonly node: NodeRef }
  /** `tookMs` is the time since it was ordered. */
  | { readonly kind: 'nodeReady'; readonly node: NodeRef; readonly tookMs: number }
  | { readonly kind: 'nodeLeaving'; readonly node: NodeRef; readonly why: LeavingReason }
  /** The instance has ended, and is no longer billed. */
  | { readonly kind: 'nodeGone'; readonly node: NodeRef; readonly why: LeavingReason }
  | ({ readonly kind: 'spotNotice' } & SpotNotice)
  /** Karpenter could not place pods because of limits, or because nothing fits. */
  | { readonly kind: 'provisioningFailed'; readonly pods: number; readonly why: string }
);
