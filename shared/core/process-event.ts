import { applyDecision } from './apply/apply-decision';
import { removeForgotten } from './apply/remove-forgotten';
import { retryOnConflict } from './apply/retry-on-conflict';
import { inParallel } from './basics/in-parallel';
import { headroomName } from './basics/names';
import { emitEvents } from './cluster-events';
import type { HeadroomConfig } from './config/config';
import { decide } from './decision/decide';
import { decisionTime } from './decision/decision-time';
import { type Delivery, parseDeliveries } from './events/deliveries';
import type { TickEvent } from './events/event';
import type { Parse } from './events/parse-event';
import { collectIntents, type ReadEvents } from './intents/collect-intents';
import { ANNOTATIONS } from './manifests/annotations';
import { countNodes } from './observe/count-nodes';
import { judgeOccurrences } from './observe/judge-occurrences';
import { isLookDue } from './observe/look-due';
import { nodeClaimsOnce } from './observe/node-claims';
import { observe } from './observe/observe';
import { type Outcome, outcomeOf, type Processed } from './outcome';
import type { Runtime } from './ports/ports';
import type { Intent } from './record/intent';
import { recordIntents } from './record/record-intents';
import { reportDropped, reportEvents, reportOutcome } from './report-outcome';

const WRITES_AT_ONCE = 8;

/**
 * The path of every event: event → parse → intents → record → count → judge → decide → apply. Every Lambda function,
 * the command line and the simulator enter here, and nothing else changes a headroom.
 */
export async function processEvents(
  deliveries: readonly Delivery[],
  parse: Parse,
  runtime: Runtime,
): Promise<Processed> {
  const { config, ports } = runtime;
  const at = runtime.now();
  const parsed = parseDeliveries(deliveries, parse, at, runtime.accepts);
  const nodeClaims = nodeClaimsOnce(config, ports.cluster, parsed.events);
  const read = await collectIntents(parsed, { config, receivedAt: at }, nodeClaims);
  reportEvents(read, runtime);
  if (!needsReconcile(read)) return { at, ...read };

  const now = decisionTime(at, read.events);
  const intents = read.events.flatMap((event) => event.intents);
  const tick = tickIn(read.events);
  const isDeploy = tick?.trigger === 'deploy';
  // A tick that is far from the clock was rejected.
  const isClockProven = tick?.at !== undefined && !isDeploy;
  const outcome = await reconcile(runtime, now, intents, { isDeploy, isClockProven, nodeClaims });
  if (tick?.trigger === 'heartbeat') await ports.wakeUp?.(outcome.headrooms, tick.at ?? now);
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

/**
 * Brings every NodePool's headroom to what the config, the clock and the recorded intents say now.
 * Attempts everything and collects what failed; running it twice has the effect of running it once.
 */
export async function reconcile(
  runtime: Pick<Runtime, 'config' | 'owner' | 'ports' | 'isLocalConfig'>,
  now: number,
  intents: readonly Intent[],
  { isDeploy = false, isClockProven = false, nodeClaims = nodeClaimsOnce(runtime.config, runtime.ports.cluster) } = {},
): Promise<Outcome> {
  const { config, owner, ports, isLocalConfig = false } = runtime;
  const isDecided = ({ name }: HeadroomConfig) =>
    !isLocalConfig || isDeploy || intents.some(({ headroom }) => headroom === name);
  const looksAtStarts = isDeploy || (intents.length === 0 && isLookDue(config, now));
  const seen = await observe(config, ports, { looksAtStarts, nodeClaims, readLive: () => ports.live?.read?.(now) });
  const pools = seen.current ? config.headrooms.filter(isDecided) : [];
  const reported = new Set<string>();
  const results = await inParallel(pools, WRITES_AT_ONCE, (deployed) =>
    retryOnConflict(
      ports,
      headroomName(deployed.name),
      seen.current?.get(headroomName(deployed.name)),
      async (current) => {
        const annotation = current?.annotations[ANNOTATIONS.live];
        const effective = await ports.live?.effective({
          pool: deployed,
          annotation,
          seen: seen.liveText,
          now,
          isDeploy,
        });
        const own = intents.filter(({ headroom }) => headroom === deployed.name);
        const { readings } = seen;
        const starts = seen.starts?.get(deployed.name);
        const withLive = effective?.pool ?? deployed;
        const recording = {
          pool: withLive,
          current,
          intents: own,
          readings,
          starts,
          now,
          isClockProven,
          isLocalConfig,
        };
        const { pool, ...recorded } = recordIntents(recording);
        reportDropped(pool.name, recorded, ports, reported);
        const counted = await countNodes(recorded, { pool, current, seen, now });
        const judged = await judgeOccurrences(counted, { pool, current, seen, now });
        const decision = decide({ pool, now, ...judged });
        const change = { config, owner, pool, effective, seen, current, recorded: judged, decision, now };
        return applyDecision(change, ports.cluster);
      },
    ),
  );
  const removed = await removeForgotten(runtime, seen.current?.values() ?? [], isDeploy);
  const outcome = outcomeOf({ config, now, seen, results, removed, isDeploy });
  reportOutcome(outcome, seen, ports);
  await emitEvents(outcome, seen, ports);
  return outcome;
}
