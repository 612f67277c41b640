import type { HeadroomConfig } from '../config/config';
import type { CurrentHeadroom } from '../ports/ports';
import { isUncounted, overdueCounts, withCount } from '../record/occurrences';
import { lastDecided, type Recorded } from '../record/record-intents';
import type { Observed } from './observe';

interface CountInput {
  readonly pool: HeadroomConfig;
  readonly current: CurrentHeadroom | undefined;
  readonly seen: Pick<Observed, 'countNodeClaims'>;
  readonly now: number;
}

/**
 * Counts the nodes for every relative occurrence and override that has no count yet. The count is written together
 * with the size, guarded by the version that was read, so that racing functions agree on the first one.
 */
export async function countNodes(
  recorded: Recorded,
  { pool, current: live, seen, now }: CountInput,
): Promise<Recorded> {
  if (!isUncounted(recorded.record, pool, now)) return recorded;
  const nodes = await seen.countNodeClaims(pool);
  if (nodes !== undefined) {
    const overdue = overdueCounts(recorded.record, pool, now);
    const record = withCount(recorded.record, pool, now, nodes);
    return { ...recorded, record, ...(overdue.length > 0 && { countedLate: overdue }) };
  }
  // Without a count nothing may shrink: nodes that go now would be missing from it later.
  const held = Math.max(recorded.held, live ? lastDecided(live, pool) : 0);
  return { ...recorded, held, heldBecause: 'the NodeClaims cannot be counted' };
}
