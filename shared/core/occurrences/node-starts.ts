import { MAX_START_ID, MAX_STARTS } from '../basics/record-limits';
import type { NodeStart } from '../ports/ports';
import { isStartKey, MAX_START_SECONDS, type NodeStarts } from '../record/record';

const PERCENTILE = 0.95;

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

/** The 95th percentile in seconds, by nearest rank: always a measured value. */
export function percentile95(seconds: readonly number[]): number {
  const sorted = [...seconds].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * PERCENTILE) - 1] ?? 0;
}
