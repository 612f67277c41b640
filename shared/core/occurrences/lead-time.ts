import type { HeadroomConfig } from '../config/config';
import type { HeadroomRecord } from '../record/record';
import { percentile95 } from './node-starts';

/** With fewer measured nodes the start value is used. */
export const ENOUGH_NODES = 5;

/** How long before its start an occurrence is requested, and why. */
export interface LeadTime {
  readonly minutes: number;
  /** How many nodes were measured, if the lead time is learned. */
  readonly nodes?: number;
  /** The minutes within which 95 % of them were ready; absent while there are too few. */
  readonly took?: number;
}

/** The lead time as configured, or as learned from the NodePool's nodes. */
export function leadTimeOf(
  { leadMinutes, autoLead }: Pick<HeadroomConfig, 'leadMinutes' | 'autoLead'>,
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
