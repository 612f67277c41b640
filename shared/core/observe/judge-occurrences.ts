import type { HeadroomConfig } from '../config/config';
import { isExactly } from '../decision/decide';
import type { CurrentHeadroom } from '../ports/ports';
import { occurrenceKey } from '../record/occurrences';
import type { RequestRecord } from '../record/record';
import type { FirstVerdict, Recorded } from '../record/record-intents';
import { type Unready, unreadyOccurrences } from '../record/requested-occurrences';
import type { Observed } from './observe';
import { whyLate } from './why-late';

interface JudgeInput {
  readonly pool: HeadroomConfig;
  readonly current: CurrentHeadroom | undefined;
  readonly seen: Pick<Observed, 'nodePoolOf' | 'startsOf' | 'starts'>;
  readonly now: number;
}

/**
 * Records for every occurrence when its nodes were first ready: as many replicas as the window needs, even if work
 * preempts them later. One that has begun without them gets a cause, which is updated whenever node starts are read.
 */
export async function judgeOccurrences(recorded: Recorded, input: JudgeInput): Promise<Recorded> {
  const { pool, current: live, now } = input;
  const { record } = recorded;
  const unready = unreadyOccurrences(record, pool, now);
  if (unready.length === 0) return recorded;
  const requests = new Map(Object.entries(record.requests ?? {}));
  const verdicts: FirstVerdict[] = [];
  for (const { occurrence, wanted, request } of unready) {
    const { window, start } = occurrence;
    const key = occurrenceKey(window, start);
    const ready = (live?.ready ?? 0) >= wanted;
    // A pin decides the size, so the occurrence is not late.
    if (!ready && isExactly(record, now)) {
      if (start <= now && request.why === undefined) requests.delete(key);
      continue;
    }
    const judged = { ...request, ...(ready ? { ready: now } : await whyOf({ occurrence, wanted, request }, input)) };
    requests.set(key, judged);
    if (ready || (request.why === undefined && judged.why !== undefined))
      verdicts.push({ window: window.name, start, ready, ...(judged.why !== undefined && { why: judged.why }) });
  }
  const { requests: _before, ...rest } = record;
  return {
    ...recorded,
    record: requests.size === 0 ? rest : { ...rest, requests: Object.fromEntries(requests) },
    ...(verdicts.length > 0 && { verdicts }),
  };
}

async function whyOf({ occurrence, wanted, request }: Unready, input: JudgeInput): Promise<Pick<RequestRecord, 'why'>> {
  const { pool, current: live, seen, now } = input;
  if (occurrence.start > now || (request.why !== undefined && !seen.starts)) return {};
  const starts = await seen.startsOf(pool);
  const missing = wanted - (live?.ready ?? 0);
  return { why: whyLate({ pool, nodePool: seen.nodePoolOf(pool.nodePool), current: live, starts, missing }) };
}
