import { applyDecision } from './apply/apply-decision';
import { removeForgotten } from './apply/remove-forgotten';
import { retryOnConflict } from './apply/retry-on-conflict';
import { inParallel } from './basics/in-parallel';
import { headroomName } from './basics/names';
import { emitEvents } from './cluster-events';
import { decide } from './decision/decide';
import { decisionTime } from './decision/decision-time';
import { type Delivery, parseDeliveries } from './events/deliveries';
import type { Parse } from './events/parse-event';
import { collectIntents, type ReadEvents } from './intents/collect-intents';
import { ANNOTATIONS } from './manifests/annotations';
import { countNodes } from './observe/count-nodes';
import { judgeOccurrences } from './observe/judge-occurrences';
import { isLookDue } from './observe/look-due';
import { nodeClaimsOnce } from './observe/node-claims';
import { observe } from './observe/observe';
import { type Outcome, outcomeOf, type Processed } from './outcome';
import type { Service } from './ports/ports';
import type { Intent } from './record/intent';
import { recordIntents } from './record/record-intents';
import { reportDropped, reportEvents, reportOutcome } from './report';

const WRITES_AT_ONCE = 8;

/**
 * The path of every event: event → parse → intents → record → count → judge → decide → apply. Every Lambda function,
 * the command line and the simulator enter here, and nothing else changes a headroom.
 */
export async function processEvents(
  deliveries: readonly Delivery[],
  parse: Parse,
  service: Service,
): Promise<Processed> {
  const { config, ports } = service;
  const at = service.now();
  const parsed = parseDeliveries(deliveries, parse, at, service.accepts);
  const nodeClaims = nodeClaimsOnce(config, ports.cluster, parsed.events);
  const read = await collectIntents(parsed, { config, receivedAt: at }, nodeClaims);
  reportEvents(read, ports);
  if (!needsReconcile(read)) return { at, ...read };

  const now = decisionTime(at, read.events);
  const intents = read.events.flatMap((event) => event.intents);
  const isDeploy = read.events.some(({ event }) => event.kind === 'tick' && event.trigger === 'deploy');
  const outcome = await reconcile(service, now, intents, { isDeploy, nodeClaims });
  return { at, ...read, outcome };
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
  service: Pick<Service, 'config' | 'owner' | 'ports'>,
  now: number,
  intents: readonly Intent[],
  { isDeploy = false, nodeClaims = nodeClaimsOnce(service.config, service.ports.cluster) } = {},
): Promise<Outcome> {
  const { config, owner, ports } = service;
  const looksAtStarts = isDeploy || (intents.length === 0 && isLookDue(config, now));
  const seen = await observe(config, ports, { looksAtStarts, nodeClaims, readLive: () => ports.live?.read?.(now) });
  const pools = seen.headrooms ? config.nodePools : [];
  const results = await inParallel(pools, WRITES_AT_ONCE, (deployed) =>
    retryOnConflict(
      ports,
      headroomName(deployed.name),
      seen.headrooms?.get(headroomName(deployed.name)),
      async (live) => {
        const annotation = live?.annotations[ANNOTATIONS.live];
        const effective = await ports.live?.effective({
          pool: deployed,
          annotation,
          seen: seen.liveText,
          now,
          isDeploy,
        });
        const own = intents.filter(({ nodePool }) => nodePool === deployed.name);
        const { readings } = seen;
        const starts = seen.starts?.get(deployed.name);
        const withLive = effective?.pool ?? deployed;
        const { pool, ...recorded } = recordIntents({ pool: withLive, live, intents: own, readings, starts, now });
        reportDropped(pool.name, recorded, ports);
        const counted = await countNodes(recorded, { pool, live, seen, now });
        const judged = await judgeOccurrences(counted, { pool, live, seen, now });
        const decision = decide({ pool, now, ...judged });
        const change = { config, owner, pool, effective, seen, live, recorded: judged, decision, now };
        return applyDecision(change, ports.cluster);
      },
    ),
  );
  const removed = await removeForgotten(service, seen.headrooms?.values() ?? [], isDeploy);
  const outcome = outcomeOf({ config, now, seen, results, removed, isDeploy });
  reportOutcome(outcome, seen, ports);
  await emitEvents(outcome, seen, ports);
  return outcome;
}
