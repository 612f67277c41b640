import { MAX_START_ID, MAX_STARTS } from '../basics/record-limits';
import type { NodeStart } from '../ports/ports';
import { isStartKey, MAX_START_SECONDS, type NodeStarts } from '../record/record';

/** How many windows of a hundred may wait for a node. */
const LATE_PERCENT = 5;

/**
 * The newest of the known and the seen nodes. Each counts once, and one that has dropped out stays out, because all
 * others are newer: the result does not depend on when or how often the nodes are read.
 */
export function withStarts(known: NodeStarts, seen: readonly NodeStart[]): NodeStarts {
  const entries = [...seen.flatMap(sampleOf), ...Object.entries(known)];
  const newestFirst = [...new Map(entries)].sort(([a], [b]) => (a < b ? 1 : -1));
  return Object.fromEntries(newestFirst.slice(0, MAX_STARTS).reverse());
}

/** The key begins with the creation time, so that sorting keys sorts nodes by age. */
function sampleOf({ id, createdAt, initializedAt }: NodeStart): [string, number][] {
  if (initializedAt === undefined) return [];
  const seconds = Math.round((initializedAt - createdAt) / 1_000);
  if (!Number.isFinite(seconds)) return [];
  const key = `${new Date(createdAt).toISOString().slice(0, 19)}Z/${id.slice(0, MAX_START_ID)}`;
  return isStartKey(key) && seconds >= 0 && seconds <= MAX_START_SECONDS ? [[key, seconds]] : [];
}

/**
 * The minutes within which all of so many nodes are ready in 95 of 100 cases, if they are like the known ones: the
 * 95th percentile of one node, and of n the one that a single node exceeds n times as rarely. By nearest rank.
 */
export function minutesFor(nodes: number, fastestFirst: readonly number[]): number {
  const slower = Math.floor((fastestFirst.length * LATE_PERCENT) / (100 * nodes));
  return Math.ceil((fastestFirst[fastestFirst.length - 1 - slower] ?? 0) / 60);
}
