import type { NodePoolConfig } from '../config/config';
import { isExactly } from '../decision/decide';
import type { LiveHeadroom } from '../ports/ports';
import { occurrenceKey } from '../record/occurrences';
import type { RequestRecord } from '../record/record';
import type { Recorded } from '../record/record-intents';
import { type Unready, unreadyOccurrences } from '../record/requested-occurrences';
import type { Observed } from './observe';
import { whyLate } from './why-late';

interface JudgeInput {
  readonly pool: NodePoolConfig;
  readonly live: LiveHeadroom | undefined;
  readonly seen: Pick<Observed, 'nodePoolOf' | 'startsOf' | 'starts'>;
  readonly now: number;
}

/**
 * Records for every occurrence when its nodes were first ready: as many replicas as the window needs, even if work
 * preempts them later. One that has begun without them gets a cause, which is updated whenever node starts are read.
 */
export async function judgeOccurrences(recorded: Recorded, input: JudgeInput): Promise<Recorded> {
  const { pool, live, now } = input;
  const { record } = recorded;
  const unready = unreadyOccurrences(record, pool, now);
  if (unready.length === 0) return recorded;
  const isReady = ({ wanted }: Unready) => (live?.ready ?? 0) >= wanted;
  const requests = new Map(Object.entries(record.asked ?? {}));
  for (const one of unready) {
    const key = occurrenceKey(one.occurrence.window, one.occurrence.start);
    if (isReady(one)) requests.set(key, { ...one.request, ready: now });
    else if (!isExactly(record, now)) requests.set(key, { ...one.request, ...(await whyOf(one, input)) });
    // A pin decides the size, so the occurrence is not late.
    else if (one.occurrence.start <= now && one.request.why === undefined) requests.delete(key);
  }
  const lateBy = unready.filter(isReady).map(({ occurrence }) => Math.max(0, now - occurrence.start));
  const { asked: _before, ...rest } = record;
  return {
    ...recorded,
    record: requests.size === 0 ? rest : { ...rest, asked: Object.fromEntries(requests) },
    ...(lateBy.length > 0 && { lateBy }),
  };
}

async function whyOf({ occurrence, wanted, request }: Unready, input: JudgeInput): Promise<Pick<RequestRecord, 'why'>> {
  const { pool, live, seen, now } = input;
  if (occurrence.start > now || (request.why !== undefined && !seen.starts)) return {};
  const starts = await seen.startsOf(pool);
  const missing = wanted - (live?.ready ?? 0);
  return { why: whyLate({ pool, nodePool: seen.nodePoolOf(pool.name), live, starts, missing }) };
}
