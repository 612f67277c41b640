import type { Toleration } from '../config/config';
import type { Shape } from './shape';

/** The replicas that a share of `base` is taken of. */
export interface Followed {
  readonly replicas: number;
  /** Since when all readings have been lower, or when they went up again; ISO 8601. */
  readonly lowSince?: string;
  /** The highest of these readings: what it goes down to. As high as `replicas` if they went up again. */
  readonly again?: number;
}

/** What pods need to land on the nodes of the NodePool, for when it cannot be read. */
export interface KeptNeeds {
  readonly tolerations: readonly Toleration[];
  readonly zones?: readonly string[];
  readonly labelPrefix?: string;
}

/** What a Deployment keeps of the workload that it is for. */
export interface KeptLike {
  /** Whose shape it is, and on which NodePool: `Deployment shop/checkout on web`. */
  readonly workload: string;
  readonly shape?: Shape;
  readonly base?: Followed;
  readonly needs?: KeptNeeds;
  /** Since when the workload cannot be read or used, ISO 8601, and why at first. */
  readonly unreadSince?: string;
  readonly unread?: string;
  /** What somebody else wrote here and does not count. */
  readonly broken?: string;
}
