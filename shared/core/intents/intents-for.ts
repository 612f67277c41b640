import { InvalidEventError } from '../basics/errors';
import { assertNever } from '../basics/exhaustive';
import { type Config, type HeadroomConfig, headroomsOn } from '../config/config';
import { believedTime, isBelieved } from '../events/believed-time';
import type { AlarmEvent, HeadstartEvent, InterruptionEvent, TickEvent } from '../events/event';
import type { NodeClaimFacts } from '../ports/ports';
import type { Intent } from './intent';
import type { OverrideIntents } from './override-intents';

const MAX_CLOCK_ERROR_MS = 5 * 60_000;

/** The intents of an event, and what in it is not ours to act on. */
export interface FoundIntents {
  readonly intents: readonly Intent[];
  /** Instances, alarms and announced events that belong to no NodePool of this cluster. */
  readonly foreign: readonly string[];
}

export interface Context {
  readonly config: Config;
  readonly receivedAt: number;
  /** This cluster's NodeClaims that the events name, by instance id; needed for interruptions only. */
  readonly claims: ReadonlyMap<string, NodeClaimFacts>;
  /** Only for functions that get overrides; the bundles of the others leave it out. */
  readonly overrideIntents?: OverrideIntents | undefined;
}

export function intentsFor(event: HeadstartEvent, context: Context): FoundIntents {
  switch (event.kind) {
    case 'tick':
      refuseWrongClock(event, context.receivedAt);
      return { intents: [], foreign: [] };
    case 'alarm':
      return alarmIntents(event, context);
    case 'interruption':
      return surgeIntents(event, context);
    case 'announcement': {
      const { headroom, event: name, peak } = event;
      return peak ? { intents: [{ headroom, kind: 'peak', peak }], foreign: [] } : { intents: [], foreign: [name] };
    }
    case 'override':
      return { intents: context.overrideIntents?.(event, context.config) ?? [], foreign: [] };
    default:
      return assertNever(event);
  }
}

/**
 * A heartbeat or an edge arrives within a minute of its time. If it seems not to, this process's clock is wrong, and
 * deciding by it would end overrides and holds that are still in force.
 */
function refuseWrongClock({ trigger, at = Number.NaN }: TickEvent, clock: number): void {
  if (trigger === 'deploy' || !(Math.abs(at - clock) > MAX_CLOCK_ERROR_MS)) return;
  const [scheduled, actual] = [at, clock].map((time) => new Date(time).toISOString());
  throw new InvalidEventError(
    `event was scheduled for ${scheduled}, but the clock of this function says ${actual}; nothing was changed`,
  );
}

function alarmIntents(
  { alarmName, state, previous, at: dated }: AlarmEvent,
  { config, receivedAt }: Context,
): FoundIntents {
  const at = believedTime(dated, receivedAt);
  const doubtful = isBelieved(dated, receivedAt) ? {} : { doubtful: true as const };
  const watching = config.headrooms.filter(({ alarms }) => alarms.some((alarm) => alarm.alarmName === alarmName));
  const intents = watching.map(
    ({ name }): Intent => ({
      headroom: name,
      kind: 'alarm',
      alarmName,
      state,
      at,
      ...(previous && { previous }),
      ...doubtful,
    }),
  );
  return { intents, foreign: intents.length === 0 ? [alarmName] : [] };
}

function surgeIntents(event: InterruptionEvent, { config, receivedAt, claims }: Context): FoundIntents {
  const at = believedTime(event.at, receivedAt);
  const intents: Intent[] = [];
  const foreign: string[] = [];
  for (const instanceId of event.instanceIds) {
    const claim = claims.get(instanceId);
    const headrooms = claim ? headroomsFor(claim.nodePool, config) : [];
    if (!claim || headrooms.length === 0) foreign.push(instanceId);
    else if (!isOwnScaleDown(event, claim))
      for (const { name, interruptions } of headrooms)
        if (interruptions?.on.includes(event.cause)) {
          const until = at + interruptions.holdSeconds * 1_000;
          intents.push({ headroom: name, kind: 'surge', instanceId, cause: event.cause, until });
        }
  }
  return { intents, foreign };
}

/** A spot twin runs the same pods as its NodePool, so its surges count there, unless it has headroom of its own. */
function headroomsFor(nodePool: string, config: Config): readonly HeadroomConfig[] {
  const own = headroomsOn(nodePool, config);
  return own.length > 0 ? own : config.headrooms.filter(({ twins }) => twins?.includes(nodePool));
}

/** Karpenter's own scale-down causes a state change too, and must not cause a surge. */
function isOwnScaleDown({ cause }: InterruptionEvent, { deleting }: NodeClaimFacts): boolean {
  return cause === 'stateChange' && deleting === true;
}
