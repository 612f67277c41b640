import { KARPENTER_NODEPOOL_LABEL } from '../../shared/core/basics/names';
import { MAX_START_ID, MAX_STARTS } from '../../shared/core/basics/record-limits';
import type { NodePoolConfig } from '../../shared/core/config/config';
import { startIn, windowIn } from '../../shared/core/record/occurrences';
import { startsOf } from '../../shared/core/windows/edges';
import { NODE_CLAIMS } from '../kube/kinds';
import type { World } from './world';

/** What a record says about openings that were asked for, and about nodes. */
interface WrittenRecord {
  readonly override?: { readonly mode?: string; readonly until?: string };
  readonly asked?: Readonly<Record<string, { readonly at: string; readonly ready?: string }>>;
  readonly nodeStarts?: Readonly<Record<string, number>>;
}

/** Clocks differ by less. */
const SKEW_MS = 2 * 60_000;

/** One write of a function: the record that it found, the one that it left, and the size that goes with it. */
export interface RecordChange {
  readonly pool: NodePoolConfig;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly replicas: number;
  readonly now: number;
}

/** How long every node took that there ever was, by the key that it must have in a record. */
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

/** Asked stays asked, ready stays ready, and every node counts once, as long as it took. */
export function wrongOpenings(change: RecordChange, times: NodeTimes): string | undefined {
  const [before, after] = [parsed(change.before), parsed(change.after)];
  return wrongAsked(change, before, after) ?? wrongStarts(change, before, after, times) ?? givenUp(change, after);
}

function wrongAsked({ pool, now }: RecordChange, before: WrittenRecord, after: WrittenRecord): string | undefined {
  const named = new Set(pool.windows.map(({ name }) => name));
  for (const [key, known] of Object.entries(before.asked ?? {})) {
    const kept = after.asked?.[key];
    if (!kept && named.has(windowIn(key)) && startIn(key) > now + SKEW_MS) return `forgot that ${key} is asked for`;
    if (!kept) continue;
    if (kept.at !== known.at) return `asked for ${key} again at ${kept.at}, and ${known.at} stood there already`;
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
    if (times.of(pool.name, key) !== kept[key])
      return `counted ${key}, which took ${kept[key]} s, and it took ${times.of(pool.name, key)} s`;
  if (pool.windows.length === 0) return undefined;
  const lost = Object.keys(known).find((key) => kept[key] === undefined);
  const pushedOut = keys.length === MAX_STARTS && keys.every((key) => lost !== undefined && key > lost);
  return lost === undefined || pushedOut ? undefined : `forgot the node ${lost}`;
}

/** What is asked for and has not begun is part of the size, whatever the lead time has become. */
function givenUp({ pool, replicas, now }: RecordChange, { asked = {}, override }: WrittenRecord): string | undefined {
  // It stood when this was decided, even if it has ended on the way.
  const wasPinned = override?.mode === 'exactly' && Date.parse(override.until ?? '') > now - SKEW_MS;
  if (!pool.autoLead || wasPinned) return undefined;
  const short = Object.keys(asked).find((key) => {
    const window = pool.windows.find(({ name }) => name === windowIn(key));
    const isNext = window && startIn(key) > now + SKEW_MS && startsOf(window).next(now) === startIn(key);
    return isNext && !window.relative && replicas < Math.min(window.replicas, pool.max);
  });
  return short === undefined ? undefined : `decided ${replicas}, and ${short} is asked for`;
}

function parsed(text: string | undefined): WrittenRecord {
  try {
    const record: unknown = JSON.parse(text ?? '{}');
    return typeof record === 'object' && record !== null ? record : {};
  } catch {
    return {};
  }
}
