import { applyDecision, type HeadroomOutcome } from './apply/apply-decision';
import { removeForgotten } from './apply/remove-forgotten';
import { retryOnConflict } from './apply/retry-on-conflict';
import { headroomName } from './basics/names';
import { inParallel } from './basics/promises';
import { emitEvents } from './cluster-events';
import type { HeadroomConfig } from './config/config';
import { decide } from './decision/decide';
import { decisionTime } from './decision/decision-time';
import { heldSize } from './decision/held-size';
import { type Delivery, parseDeliveries } from './events/deliveries';
import type { TickEvent } from './events/event';
import type { Parse } from './events/parse-event';
import { splitAhead, withPeaks } from './intents/announced';
import { collectIntents, type ReadEvents } from './intents/collect-intents';
import type { Intent } from './intents/intent';
import type { OverrideIntents } from './intents/override-intents';
import { type EventFacts, type RecordedIntents, recordIntents } from './intents/record-intents';
import { reportDropped, reportEvents, reportOutcome } from './log-and-count';
import { ANNOTATIONS } from './manifests/annotations';
import { isLookDue, mayHaveStarted } from './observe/due-heartbeat';
import { nodeClaimsOnce } from './observe/node-claims';
import { type Observed, observe } from './observe/observe';
import { countNodes } from './occurrences/count-nodes';
import { judgeOccurrences } from './occurrences/judge-occurrences';
import { keepCounts } from './occurrences/keep-counts';
import { recordRequests } from './occurrences/requests';
import { type Outcome, outcomeOf, type Processed } from './outcome';
import type { CurrentHeadroom, NodeStart, Runtime } from './ports/ports';
import { keptFor } from './record/kept-for';
import type { Decided } from './record/last-decided';
import { pruneRecord } from './record/prune-record';
import { readStored } from './record/record-codec';
import { mayHaveTakes, recordTaken } from './taken/taken';

const WRITES_AT_ONCE = 8;

/**
 * The path of every event: event → parse → intents → record → decide → apply. Every Lambda function,
 * the command line and the simulator enter here, and nothing else changes a headroom.
 */
export async function processEvents(
  deliveries: readonly Delivery[],
  parse: Parse,
  runtime: Runtime,
  overrideIntents?: OverrideIntents,
): Promise<Processed> {
  const { config, ports } = runtime;
  const at = runtime.now();
  const parsed = parseDeliveries(deliveries, parse, at, runtime.accepts);
  const nodeClaims = nodeClaimsOnce(config, ports.cluster, parsed.events);
  const read = await collectIntents(parsed, { config, receivedAt: at, overrideIntents }, nodeClaims);
  reportEvents(read, runtime);
  if (!needsReconcile(read)) return { at, ...read };

  const now = decisionTime(at, read.events);
  const intents = read.events.flatMap((event) => event.intents);
  const tick = tickIn(read.events);
  const isDeploy = tick?.trigger === 'deploy';
  // A tick that is far from the clock was rejected.
  const isClockProven = tick?.at !== undefined && !isDeploy;
  const isHeartbeat = tick?.trigger === 'heartbeat';
  const isTick = tick !== undefined;
  const outcome = await reconcile(runtime, now, intents, { isTick, isDeploy, isHeartbeat, isClockProven, nodeClaims });
  if (isHeartbeat) await ports.wakeUp?.(outcome.headrooms, outcome.preemptions ?? [], tick.at ?? now);
  return { at, ...read, outcome };
}

function tickIn(events: ReadEvents['events']): TickEvent | undefined {
  for (const { event } of events) if (event.kind === 'tick') return event;
  return undefined;
}

/** Interruptions and announcements that are not ours change nothing; every other event is a reason to reconcile. */
function needsReconcile({ events, unread }: ReadEvents): boolean {
  const mayBeForeign: readonly string[] = ['interruption', 'announcement'];
  return !unread && events.some(({ event, intents }) => !mayBeForeign.includes(event.kind) || intents.length > 0);
}

/** What all headrooms of one invocation are reconciled with. */
interface Reconciling extends Pick<Runtime, 'config' | 'owner' | 'ports'> {
  readonly now: number;
  readonly intents: readonly Intent[];
  readonly seen: Observed;
  readonly isDeploy: boolean;
  /** Whether this is one of the heartbeats that read how long nodes took to start. */
  readonly isLook: boolean;
  readonly isClockProven: boolean;
  readonly isLocalConfig: boolean;
  /** The dropped peaks that are reported already. */
  readonly reported: Set<string>;
}

/**
 * Brings every headroom to what the config, the clock and the recorded intents say now.
 * Attempts everything and collects what failed; running it twice has the effect of running it once.
 */
export async function reconcile(
  runtime: Pick<Runtime, 'config' | 'owner' | 'ports' | 'isLocalConfig'>,
  now: number,
  intents: readonly Intent[],
  {
    isTick = intents.length === 0,
    isDeploy = false,
    isHeartbeat = false,
    isClockProven = false,
    nodeClaims = nodeClaimsOnce(runtime.config, runtime.ports.cluster),
  } = {},
): Promise<Outcome> {
  const { config, owner, ports, isLocalConfig = false } = runtime;
  const isDecided = ({ name }: HeadroomConfig) =>
    !isLocalConfig || isDeploy || intents.some(({ headroom }) => headroom === name);
  const isLook = intents.length === 0 && isLookDue(config, now);
  const decided = config.headrooms.filter(isDecided);
  const seen = await observe(config, ports, {
    looksAtStarts: isDeploy || isLook,
    nodeClaims,
    readPreemptions: (current) =>
      isHeartbeat && mayHaveTakes(decided, current, now) ? ports.preemptions?.() : undefined,
    readLive: () => ports.live?.read?.(now),
    readWorkloads: () => ports.like?.read(isTick ? undefined : intents),
  });
  const reported = new Set<string>();
  const all = { config, owner, ports, now, intents, seen, isDeploy, isLook, isClockProven, isLocalConfig, reported };
  const results = await inParallel(seen.current ? decided : [], WRITES_AT_ONCE, (deployed) => {
    const name = headroomName(deployed.name);
    const reconcileOne = (current: CurrentHeadroom | undefined) => reconcileHeadroom(deployed, current, all);
    return retryOnConflict(ports, name, seen.current?.get(name), reconcileOne);
  });
  const removed = await removeForgotten(runtime, seen.current?.values() ?? [], isDeploy);
  const outcome = outcomeOf({ decided, now, seen, results, removed, isDeploy });
  reportOutcome(outcome, seen, ports);
  await emitEvents(outcome, seen, ports);
  return outcome;
}

/** The steps of one headroom. A conflict repeats them with what the cluster says by then. */
async function reconcileHeadroom(
  deployed: HeadroomConfig,
  current: CurrentHeadroom | undefined,
  all: Reconciling,
): Promise<HeadroomOutcome> {
  const { config, owner, ports, now, seen, isDeploy, isLook } = all;
  const annotation = current?.annotations[ANNOTATIONS.live];
  const live = await ports.live?.effective({ pool: deployed, annotation, seen: seen.liveText, now, isDeploy });
  const intents = all.intents.filter(({ headroom }) => headroom === deployed.name);
  const looks = isLook && mayHaveStarted(current, now);
  const starts = seen.starts?.get(deployed.name) ?? (looks ? await seen.startsOf(deployed) : undefined);
  const facts = { ...all, intents, readings: seen.readings, starts };
  const edited = live?.pool ?? deployed;
  const like = ports.like?.effective({ pool: edited, current, seen, now });
  const { pool, droppedPeaks, ...updated } = updateRecord(like?.pool ?? edited, current, now, facts);
  reportDropped(pool.name, droppedPeaks, ports, all.reported);
  const { record, taken } = recordTaken(updated.record, pool, seen.preemptions ?? [], now);
  const counting = like?.count(record, pool) ?? countNodes(record, pool, now, seen);
  const { uncountable, ...counted } = await counting;
  const judged = await judgeOccurrences(counted.record, pool, now, { current, seen });
  const held = heldSize(judged.record, pool, { current, quarantined: updated.quarantined, uncountable });
  // What is judged now takes effect with the next record, in which an occurrence is requested as early as it is decided.
  const decision = decide({ pool, record: counted.record, now, held });
  const news = { ...counted, ...judged, ...(taken && { taken }), overridden: updated.overridden };
  const { quarantined } = updated;
  const change = { config, owner, pool, live, like, seen, current, quarantined, held, decision, now };
  return applyDecision({ ...change, news }, ports.cluster);
}

export interface RecordFacts extends EventFacts {
  /** The node starts of the NodePool, if they were read. */
  readonly starts?: readonly NodeStart[] | undefined;
  /** Whether alarms that the config does not name may be deployed all the same. */
  readonly isLocalConfig?: boolean;
}

export interface UpdatedRecord extends RecordedIntents {
  /** What counts: the deployed config, live schedules and announced peaks on top. */
  readonly pool: HeadroomConfig;
}

/** The record with everything in it that needs no further look at the cluster. `status` decides by it and writes nothing. */
export function updateRecord(
  deployed: HeadroomConfig,
  current: Decided | undefined,
  now: number,
  facts: RecordFacts,
): UpdatedRecord {
  const stored = keptFor(readStored(current), deployed);
  const { record, ...intended } = recordIntents(stored, deployed, now, facts);
  const pool = withPeaks(deployed, splitAhead(record, now).record);
  const requested = recordRequests(record, pool, now, facts);
  const counted = keepCounts(requested, pool, now, { ...stored, current });
  return { pool, ...intended, record: pruneRecord(counted, pool, now, { ...facts, stored: stored.record.surges }) };
}
