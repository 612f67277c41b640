import type { NodePoolConfig } from '../config/config';
import { isExactly } from '../decision/decide';
import type { LiveHeadroom } from '../ports/ports';
import { type Unready, unreadyOpenings } from '../record/asked-openings';
import { openingKey } from '../record/openings';
import type { AskedRecord } from '../record/record';
import type { Recorded } from '../record/record-intents';
import type { Observed } from './observe';
import { whyLate } from './why-late';

interface Judging {
  readonly pool: NodePoolConfig;
  readonly live: LiveHeadroom | undefined;
  readonly seen: Pick<Observed, 'nodePoolOf' | 'startsOf' | 'starts'>;
  readonly now: number;
}

/**
 * Gives every opening its verdict. Its nodes are ready once as many replicas are as the window asks for: work that
 * takes their room later does not make them late. One that has begun without them is told why, once when it begins
 * and again whenever the nodes are looked at anyway.
 */
export async function judgeOpenings(recorded: Recorded, judging: Judging): Promise<Recorded> {
  const { pool, live, now } = judging;
  const { record } = recorded;
  const unready = unreadyOpenings(record, pool, now);
  if (unready.length === 0) return recorded;
  const isReady = ({ wanted }: Unready) => (live?.ready ?? 0) >= wanted;
  const asked = new Map(Object.entries(record.asked ?? {}));
  for (const one of unready) {
    const key = openingKey(one.opening.window, one.opening.start);
    if (isReady(one)) asked.set(key, { ...one.asked, ready: now });
    else if (!isExactly(record, now)) asked.set(key, { ...one.asked, ...(await whyOf(one, judging)) });
    // A person has said how many there are to be, so that it is not late.
    else if (one.opening.start <= now && one.asked.why === undefined) asked.delete(key);
  }
  const lateBy = unready.filter(isReady).map(({ opening }) => Math.max(0, now - opening.start));
  const { asked: _before, ...rest } = record;
  return {
    ...recorded,
    record: asked.size === 0 ? rest : { ...rest, asked: Object.fromEntries(asked) },
    ...(lateBy.length > 0 && { lateBy }),
  };
}

async function whyOf({ opening, wanted, asked }: Unready, judging: Judging): Promise<Pick<AskedRecord, 'why'>> {
  const { pool, live, seen, now } = judging;
  if (opening.start > now || (asked.why !== undefined && !seen.starts)) return {};
  const starts = await seen.startsOf(pool);
  const missing = wanted - (live?.ready ?? 0);
  return { why: whyLate({ pool, nodePool: seen.nodePoolOf(pool.name), live, starts, missing }) };
}
