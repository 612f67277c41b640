import type { HeadroomConfig } from '../config/config';
import type { HeadroomRecord } from '../record/record';
import type { Window } from '../windows/window';
import { minutesFor } from './node-starts';
import { windowIn } from './occurrence-key';
import { isNodeStart } from './why-late';

/** With fewer measured nodes the start value is used. */
export const ENOUGH_NODES = 5;
/** How much longer it is for many nodes than for one. */
const LONGER_AT_MOST = 4;
/** Nodes that took longer from request to ready were held up by something else, such as a lack of capacity. */
const STARTED_WITHIN = 60;

/** How long before its start an occurrence is requested, and why. */
export interface LeadTime {
  readonly minutes: number;
  /** How many nodes were measured, if the lead time is learned. */
  readonly nodes?: number;
  /** The minutes within which 95 % of them were ready; absent while there are too few. */
  readonly took?: number;
  /** For how many nodes at once it is learned; absent while there are too few. */
  readonly together?: number;
}

/** What a learned lead time depends on. */
export type Learning = Pick<HeadroomConfig, 'leadMinutes' | 'autoLead' | 'max' | 'shaped'>;
type Learned = Pick<HeadroomRecord, 'nodeStarts' | 'requests' | 'shares'>;

/**
 * The lead time as configured, or as learned for all nodes of a window, without one for as many as `max` allows:
 * - so long that one window in twenty waits for a node, by the newest starts of single nodes;
 * - at least as long as the last occurrences of the window took from request to ready;
 * - at most four minutes longer than for one node, so that an outlier costs little, and between min and max.
 */
export function leadTimeOf(pool: Learning, record: Learned, window?: Window): LeadTime {
  const { leadMinutes, autoLead } = pool;
  if (!autoLead) return { minutes: leadMinutes };
  const { nodeStarts = {}, requests = {} } = record;
  const fastestFirst = Object.values(nodeStarts).sort((a, b) => a - b);
  const nodes = fastestFirst.length;
  if (nodes < ENOUGH_NODES) return { minutes: leadMinutes, nodes };
  const together = nodesTogether(pool, record, window);
  const took = minutesFor(1, fastestFirst);
  const all = Math.max(minutesFor(together, fastestFirst), ...minutesOf(requests, window));
  const bounded = Math.max(Math.min(all, took + LONGER_AT_MOST, autoLead.maxMinutes), autoLead.minMinutes);
  return { minutes: bounded + autoLead.heartbeatMinutes, nodes, took, together };
}

/** The most nodes that a window may ask for at once: one for each unit, since nobody knows how Karpenter packs slices. */
export function nodesTogether(
  { max, shaped }: Learning,
  { shares }: Pick<HeadroomRecord, 'shares'>,
  window: Window | undefined,
): number {
  const units = window ? (shaped?.unitsOf(window, shares) ?? window.replicas) : max;
  return Math.max(1, Math.min(units, max));
}

/** How many minutes the last occurrences of a window took from request to ready, where they waited for nothing but nodes. */
function minutesOf(requests: NonNullable<HeadroomRecord['requests']>, window: Window | undefined): number[] {
  return Object.entries(requests).flatMap(([key, { at, ready, why }]) => {
    if (ready === undefined || !isNodeStart(why) || (window && windowIn(key) !== window.name)) return [];
    const minutes = Math.ceil((ready - at) / 60_000);
    return minutes <= STARTED_WITHIN ? [minutes] : [];
  });
}
