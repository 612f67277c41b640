import type { NodePoolConfig } from '../../shared/core/config/config';
import type { FloorUse } from '../../shared/core/karpenter/nodes-in-use';
import type { PoolStatus } from '../../shared/core/status';
import type { Read } from '../access/read';
import type { Commands } from '../input/commands';

export interface StatusView {
  readonly clusterName: string;
  readonly place: string;
  readonly now: number;
  readonly pools: readonly PoolView[];
  readonly commands: Commands;
}

export interface PoolView {
  readonly status: PoolStatus;
  readonly timezone: string;
  /** Absent if the local config does not have the pool. */
  readonly pool?: NodePoolConfig;
  /** How much of a floor runs work; only known with direct access to the cluster. */
  readonly use?: Read<FloorUse>;
  /** Why capacity is missing; only known with direct access to the cluster. */
  readonly why: readonly string[];
}
