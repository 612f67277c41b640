import { NODE_CLAIMS } from '../../../lab/simulator/kube/kinds';
import { KARPENTER_NODEPOOL_LABEL } from '../../../shared/core/basics/names';
import { MAX_START_ID, MAX_STARTS } from '../../../shared/core/basics/record-limits';
import type { HeadroomConfig } from '../../../shared/core/config/config';
import { startIn, windowIn } from '../../../shared/core/occurrences/occurrence-key';
import type { World } from '../environment/world';
import { isTooLate } from '../model/expected-size';
import { nextEdge } from '../model/minute-windows';
import { recordFor, type WrittenRecord, writtenRecord } from '../model/written-record';
import { decidedOn } from './modelled-write';

/** More than any two clocks differ. */
const SKEW_MS = 2 * 60_000;

/** One write of a function: the record before and after, and the size. */
export interface RecordChange {
  readonly pool: HeadroomConfig;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly replicas: number;
  readonly now: number;
}

/** How long each node took to start, by its key in a record. */
export class NodeTimes {
  private readonly seconds = new Map<string, number>();

  constructor(world: World) {
    world.store.subscribe(NODE_CLAIMS, ({ object: { metadata, status } }) => {
      const done = status?.conditions?.find(({ type, status: met }) => type === 'Initialized' && met === 'True');
      if (!done?.lastTransitionTime) return;
      const took = Date.parse(done.lastTransitionTime) - Date.parse(metadata.creationTimestamp);
      const nodePool = metadata.labels?.[KARPENTER_NODEPOOL_LABEL] ?? '';
      const key = `${metadata.creationTimestamp}/${metadata.uid.slice(0, MAX_START_ID)}`;
      this.seconds.set(`${nodePool} ${key}`, took / 1_000);
    });
  }

  of(nodePool: string, key: string): number | undefined {
    return this.seconds.get(`${nodePool} ${key}`);
  }
}

/** A requested occurrence stays requested, a ready one stays ready, and every node counts once, with its start time. */
export function wrongOccurrences(change: RecordChange, times: NodeTimes): string | undefined {
  const [before, after] = [recordFor(change.pool, writtenRecord(change.before)), writtenRecord(change.after)];
  return wrongRequests(change, before, after) ?? wrongStarts(change, before, after, times) ?? tooSmall(change, after);
}

function wrongRequests({ pool, now }: RecordChange, before: WrittenRecord, after: WrittenRecord): string | undefined {
  const record = decidedOn(before, after);
  const windows = new Map(pool.windows.map((window) => [window.name, window]));
  for (const [key, known] of Object.entries(before.requests ?? {})) {
    const kept = after.requests?.[key];
    const window = windows.get(windowIn(key));
    const isKept = window && !isTooLate({ window, key, start: startIn(key), end: now }, { pool, record });
    if (!kept && isKept && startIn(key) > now + SKEW_MS) return `forgot that ${key} was requested`;
    if (!kept) continue;
    if (kept.at !== known.at) return `requested ${key} again at ${kept.at}, and ${known.at} was recorded already`;
    if (known.ready !== undefined && kept.ready !== known.ready)
      return `forgot that ${key} was ready at ${known.ready}`;
  }
  return undefined;
}

function wrongStarts(
  { pool }: RecordChange,
  { nodeStarts: known = {} }: WrittenRecord,
  { nodeStarts: kept = {} }: WrittenRecord,
  times: NodeTimes,
): string | undefined {
  const keys = Object.keys(kept);
  if (keys.length > MAX_STARTS) return `remembers ${keys.length} nodes`;
  for (const key of keys)
    if (times.of(pool.nodePool, key) !== kept[key])
      return `counted ${key}, which took ${kept[key]} s, and it took ${times.of(pool.nodePool, key)} s`;
  const lost = Object.keys(known).find((key) => kept[key] === undefined);
  const pushedOut = keys.length === MAX_STARTS && keys.every((key) => lost !== undefined && key > lost);
  return lost === undefined || pushedOut ? undefined : `forgot the node ${lost}`;
}

/** A requested occurrence is part of the size until it begins, even if the lead time has become shorter. */
function tooSmall(
  { pool, replicas, now }: RecordChange,
  { requests = {}, override }: WrittenRecord,
): string | undefined {
  // The override may have ended between the decision and the write.
  const wasPinned = override?.mode === 'exactly' && Date.parse(override.until ?? '') > now - SKEW_MS;
  if (!pool.autoLead || wasPinned) return undefined;
  const short = Object.keys(requests).find((key) => {
    const window = pool.windows.find(({ name }) => name === windowIn(key));
    const isNext = window && startIn(key) > now + SKEW_MS && nextEdge(window, 'starts', now) === startIn(key);
    return isNext && !window.relative && replicas < Math.min(window.replicas, pool.max);
  });
  return short === undefined ? undefined : `decided ${replicas}, and ${short} was requested`;
}
