import type { NodePoolConfig } from '../config/config';
import { percentile95 } from './node-starts';
import type { HeadroomRecord } from './record';

/** So many nodes must be known before they count over the start value. */
export const ENOUGH_NODES = 5;

/** How long before its start an occurrence is asked for, and what that follows from. */
export interface LeadTime {
  readonly minutes: number;
  /** How many nodes are known, where the lead time is learned. */
  readonly nodes?: number;
  /** The minutes within which 95 % of them were ready; absent while they are too few. */
  readonly took?: number;
}

/** The lead time as written, or as the nodes of the NodePool have taught it. */
export function leadTimeOf(
  { leadMinutes, autoLead }: Pick<NodePoolConfig, 'leadMinutes' | 'autoLead'>,
  { nodeStarts = {} }: Pick<HeadroomRecord, 'nodeStarts'>,
): LeadTime {
  if (!autoLead) return { minutes: leadMinutes };
  const seconds = Object.values(nodeStarts);
  const nodes = seconds.length;
  if (nodes < ENOUGH_NODES) return { minutes: leadMinutes, nodes };
  const took = Math.ceil(percentile95(seconds) / 60);
  const bounded = Math.min(Math.max(took, autoLead.minMinutes), autoLead.maxMinutes);
  return { minutes: bounded + autoLead.heartbeatMinutes, nodes, took };
}
