import { assertNever } from '../basics/exhaustive';
import type { Config, NodePoolConfig } from '../config/config';
import type { AlarmEvent, HeadstartEvent, InterruptionEvent } from '../events/event';
import type { NodeClaimFacts } from '../ports/ports';
import type { Intent } from '../record/intent';
import { orderIntents } from './order-intents';

/** What an event asks for, and what of it is not ours to act on. */
export interface Asked {
  readonly intents: readonly Intent[];
  /** Instances and alarms that belong to no NodePool of this cluster. */
  readonly foreign: readonly string[];
}

/** Turns an event into intents; `claims` are this cluster's NodeClaims, needed for interruptions only. */
export function intentsFor(event: HeadstartEvent, config: Config, claims: readonly NodeClaimFacts[] = []): Asked {
  switch (event.kind) {
    case 'tick':
      return { intents: [], foreign: [] };
    case 'alarm':
      return alarmIntents(event, config);
    case 'interruption':
      return surgeIntents(event, config, claims);
    case 'order':
      return { intents: orderIntents(event, config), foreign: [] };
    default:
      return assertNever(event);
  }
}

function alarmIntents({ alarmName, state, previous, at }: AlarmEvent, { nodePools }: Config): Asked {
  const watching = nodePools.filter(({ alarms }) => alarms.some((alarm) => alarm.alarmName === alarmName));
  const intents = watching.map(
    ({ name }): Intent => ({ nodePool: name, kind: 'alarm', alarmName, state, at, ...(previous && { previous }) }),
  );
  return { intents, foreign: intents.length === 0 ? [alarmName] : [] };
}

function surgeIntents(event: InterruptionEvent, { nodePools }: Config, claims: readonly NodeClaimFacts[]): Asked {
  const intents: Intent[] = [];
  const foreign: string[] = [];
  for (const instanceId of event.instanceIds) {
    const claim = claims.find((candidate) => candidate.instanceId === instanceId);
    const pool = claim && nodePools.find((candidate) => isOf(candidate, claim.nodePool));
    if (!claim || !pool) foreign.push(instanceId);
    else if (pool.interruptions?.on.includes(event.cause) && !isOwnScaleDown(event, claim)) {
      const until = event.at + pool.interruptions.holdSeconds * 1_000;
      intents.push({ nodePool: pool.name, kind: 'surge', instanceId, cause: event.cause, until });
    }
  }
  return { intents, foreign };
}

/** A spot twin's nodes carry the same pods as its NodePool's. */
function isOf({ name, twins = [] }: NodePoolConfig, nodePool: string): boolean {
  return name === nodePool || twins.includes(nodePool);
}

/** Karpenter's own scale-down ends in a state change too, and must not feed itself. */
function isOwnScaleDown({ cause }: InterruptionEvent, { deleting }: NodeClaimFacts): boolean {
  return cause === 'stateChange' && deleting;
}
