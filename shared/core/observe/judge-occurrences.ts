import type { NodePoolConfig } from '../config/config';
import { isExactly } from '../decision/decide';
import type { LiveHeadroom } from '../ports/ports';
import { occurrenceKey } from '../record/occurrences';
import type { RequestRecord } from '../record/record';
import type { Recorded } from '../record/record-intents';
import { type Unready, unreadyOccurrences } from '../record/requested-occurrences';
import type { Observed } from './observe';
import { whyLate } from './why-late';

interface Judging {
  readonly pool: NodePoolConfig;
  readonly live: LiveHeadroom | undefined;
  readonly seen: Pick<Observed, 'nodePoolOf' | 'startsOf' | 'starts'>;
  readonly now: number;
}

/**
 * Gives every occurrence its verdict. Its nodes are ready once as many replicas are as the window asks for: work that
 * takes their room later does not make them late. One that has begun without them is told why, once when it begins
 * and again whenever the nodes are looked at anyway.
 */
export async function judgeOccurrences(recorded: Recorded, judging: Judging): Promise<Recorded> {
  const { pool, live, now } = judging;
  const { record } = recorded;
  const unready = unreadyOccurrences(record, pool, now);
  if (unready.length === 0) return recorded;
  const isReady = ({ wanted }: Unready) => (live?.ready ?? 0) >= wanted;
  const asked = new Map(Object.entries(record.asked ?? {}));
  for (const one of unready) {
    const key = occurrenceKey(one.occurrence.window, one.occurrence.start);
    if (isReady(one)) asked.set(key, { ...one.request, ready: now });
    else if (!isExactly(record, now)) asked.set(key, { ...one.request, ...(await whyOf(one, judging)) });
    // A person has said how many there are to be, so that it is not late.
    else if (one.occurrence.start <= now && one.request.why === undefined) asked.delete(key);
  }
  const lateBy = unready.filter(isReady).map(({ occurrence }) => Math.max(0, now - occurrence.start));
  const { asked: _before, ...rest } = record;
  return {
    ...recorded,
    record: asked.size === 0 ? rest : { ...rest, asked: Object.fromEntries(asked) },
    ...(lateBy.length > 0 && { lateBy }),
  };
}

async function whyOf(
  { occurrence, wanted, request: asked }: Unready,
  judging: Judging,
): Promise<Pick<RequestRecord, 'why'>> {
  const { pool, live, seen, now } = judging;
  if (occurrence.start > now || (asked.why !== undefined && !seen.starts)) return {};
  const starts = await seen.startsOf(pool);
  const missing = wanted - (live?.ready ?? 0);
  return { why: whyLate({ pool, nodePool: seen.nodePoolOf(pool.name), live, starts, missing }) };
}
