import type { HeadroomConfig } from '../config/config';
import type { Observed } from '../observe/observe';
import type { CurrentHeadroom } from '../ports/ports';
import { type HeadroomRecord, isExactly, type RequestRecord } from '../record/record';
import { occurrenceKey } from './occurrence-key';
import { type Unready, unreadyOccurrences } from './requests';
import { whyLate } from './why-late';

export interface Judged {
  readonly record: HeadroomRecord;
  /** What is known now for the first time: that an occurrence is ready, or that it began without its nodes. */
  readonly verdicts: readonly FirstVerdict[];
}

export interface FirstVerdict {
  readonly window: string;
  readonly start: number;
  readonly ready: boolean;
  /** Why it is, or was, late. */
  readonly why?: string;
}

interface Facts {
  readonly current: CurrentHeadroom | undefined;
  readonly seen: Pick<Observed, 'nodePoolOf' | 'startsOf' | 'starts'>;
}

/**
 * Records for every occurrence when its nodes were first ready: as many replicas as the window needs, even if work
 * preempts them later. One that has begun without them gets a cause, which is updated whenever node starts are read.
 */
export async function judgeOccurrences(
  record: HeadroomRecord,
  pool: HeadroomConfig,
  now: number,
  facts: Facts,
): Promise<Judged> {
  const unready = unreadyOccurrences(record, pool, now);
  if (unready.length === 0) return { record, verdicts: [] };
  const requests = new Map(Object.entries(record.requests ?? {}));
  const verdicts: FirstVerdict[] = [];
  for (const { occurrence, wanted, request } of unready) {
    const { window, start } = occurrence;
    const key = occurrenceKey(window, start);
    const ready = (facts.current?.ready ?? 0) >= wanted;
    // A pin decides the size, so the occurrence is not late.
    if (!ready && isExactly(record, now)) {
      if (start <= now && request.why === undefined) requests.delete(key);
      continue;
    }
    const found = ready ? { ready: now } : await whyOf({ occurrence, wanted, request }, pool, now, facts);
    const judged = { ...request, ...found };
    requests.set(key, judged);
    if (ready || (request.why === undefined && judged.why !== undefined))
      verdicts.push({ window: window.name, start, ready, ...(judged.why !== undefined && { why: judged.why }) });
  }
  const { requests: _before, ...rest } = record;
  return {
    record: requests.size === 0 ? rest : { ...rest, requests: Object.fromEntries(requests) },
    verdicts,
  };
}

async function whyOf(
  { occurrence, wanted, request }: Unready,
  pool: HeadroomConfig,
  now: number,
  { current, seen }: Facts,
): Promise<Pick<RequestRecord, 'why'>> {
  if (occurrence.start > now || (request.why !== undefined && !seen.starts)) return {};
  const starts = await seen.startsOf(pool);
  const missing = wanted - (current?.ready ?? 0);
  return { why: whyLate({ pool, nodePool: seen.nodePoolOf(pool.nodePool), current, starts, missing }) };
}
