import { applyDecision } from './apply/apply-decision';
import { removeForgotten } from './apply/remove-forgotten';
import { retryOnConflict } from './apply/retry-on-conflict';
import { inParallel } from './basics/in-parallel';
import { headroomName } from './basics/names';
import type { Config } from './config/config';
import { decide } from './decision/decide';
import { decisionTime } from './decision/decision-time';
import { type Delivery, parseDeliveries } from './events/deliveries';
import { intentsOf } from './intents/intents-of';
import { observe } from './observe/observe';
import { type Outcome, outcomeOf, type Processed } from './outcome';
import type { Ports } from './ports/ports';
import type { Intent } from './record/intent';
import { recordIntents } from './record/record-intents';
import { reportEvents, reportOutcome } from './report';
import type { Service } from './service';

const WRITES_AT_ONCE = 8;

/**
 * The one way through: event → parse → intents → record → decide → apply. Every Lambda function, the
 * command line and the simulator come in here, and nothing else changes a headroom.
 */
export async function processEvents(deliveries: readonly Delivery[], service: Service): Promise<Processed> {
  const { config, ports } = service;
  const at = service.now();
  const parsed = parseDeliveries(deliveries, at, service.accepts);
  const events = await intentsOf(parsed, config, ports.cluster);
  reportEvents(events, ports);
  if (events.asked.length === 0 || events.unread) return { at, ...events };

  const now = decisionTime(at, events.asked);
  const intents = events.asked.flatMap((asked) => asked.intents);
  const outcome = await reconcile(config, now, intents, ports);
  return { at, ...events, outcome };
}

/**
 * Brings every NodePool's headroom to what the config, the clock and the recorded intents say now.
 * Attempts everything and says what failed; running it twice has the effect of running it once.
 */
export async function reconcile(
  config: Config,
  now: number,
  intents: readonly Intent[],
  ports: Ports,
): Promise<Outcome> {
  const seen = await observe(config, ports);
  const pools = seen.headrooms ? config.nodePools : [];
  const results = await inParallel(pools, WRITES_AT_ONCE, (pool) =>
    retryOnConflict(ports, pool.name, seen.headrooms?.get(headroomName(pool.name)), (live) => {
      const asked = intents.filter(({ nodePool }) => nodePool === pool.name);
      const recorded = recordIntents({ pool, live, intents: asked, readings: seen.readings, now });
      const decision = decide({ pool, record: recorded.record, now, floor: recorded.held });
      return applyDecision({ config, pool, seen, live, recorded, decision }, ports.cluster);
    }),
  );
  const removed = await removeForgotten(config, seen.headrooms?.values() ?? [], ports.cluster);
  const outcome = outcomeOf({ config, now, seen, results, removed });
  reportOutcome(outcome, config, seen, ports);
  return outcome;
}
