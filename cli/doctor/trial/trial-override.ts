import type { HeadroomConfig } from '../../../shared/core/config/config';
import { decide } from '../../../shared/core/decision/decide';
import { standingCounts } from '../../../shared/core/occurrences/inherited-counts';
import { additionsNow } from '../../../shared/core/record/additions';
import type { HeadroomRecord } from '../../../shared/core/record/record';
import type { HeadroomStatus } from '../../../shared/core/status';
import { defaultZone, momentText } from '../../../shared/drawing/local-time';
import type { Commands } from '../../input/commands';
import { troublesOf } from '../../status/troubles';

/** The smallest override that makes a pool grow: one more than it wants now. */
export type TrialOverride = { readonly atLeast: number } | { readonly addNodes: number };

/** Why a pool cannot be tested now, and what to do first. */
export interface Refusal {
  readonly refused: string;
}

/** The override to test a pool with; a pool that is not in its normal state is left alone. */
export function trialOverride(
  pool: HeadroomConfig,
  status: HeadroomStatus,
  { now, commands }: { readonly now: number; readonly commands: Commands },
): TrialOverride | Refusal {
  const { name, max, unit, windows } = pool;
  const timezone = defaultZone(windows);
  const [trouble] = troublesOf({ status, pool, timezone, why: [] }, { now, commands });
  if (trouble) return { refused: `${name}: ${trouble.text}` };
  const { override } = status.intents;
  if (override && override.until > now)
    return {
      refused: `${name}: an override by ${override.by} is in force until ${momentText(timezone, override.until, now)}; wait for its end, or run ${commands.headstart('release', name)}`,
    };
  const bound = `${name}: max ${max} leaves no room for one more; raise max and deploy, or try another NodePool`;
  if (unit.kind === 'floor') {
    const addNodes = nodesToAdd(pool, status, now);
    return addNodes > max ? { refused: bound } : { addNodes };
  }
  if (status.wanted + 1 > max) return { refused: bound };
  return { atLeast: status.wanted + 1 - addedOnTop(pool, status.intents, now) };
}

/** One more than there are; while a count is added to already, the override inherits it. */
function nodesToAdd(pool: HeadroomConfig, { wanted, intents }: HeadroomStatus, now: number): number {
  const { lowest, isInForce } = standingCounts(intents, pool, now);
  return lowest && isInForce ? Math.max(1, wanted + 1 - lowest.nodes - additionsNow(pool, intents, now)) : 1;
}

/** What alarm boosts and interruption surges add to any override. */
function addedOnTop(pool: HeadroomConfig, { override: _, ...record }: HeadroomRecord, now: number): number {
  return decide({ pool: { ...pool, base: 0, windows: [] }, record, now }).replicas;
}
