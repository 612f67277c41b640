import type { HeadroomConfig } from '../../../shared/core/config/config';
import { decide } from '../../../shared/core/decision/decide';
import type { HeadroomRecord } from '../../../shared/core/record/record';
import type { HeadroomStatus } from '../../../shared/core/status';
import { defaultZone, momentText } from '../../../shared/drawing/local-time';
import type { Commands } from '../../input/commands';

/** The smallest override that makes a pool grow: one more than it wants now. */
export type TrialOverride = { readonly atLeast: number } | { readonly addNodes: 1 };

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
  const { name, max, unit } = pool;
  const refused = trouble(status, { now, commands, timezone: defaultZone(pool.windows) });
  if (refused !== undefined) return { refused: `${name}: ${refused}` };
  const bound = `${name}: max ${max} leaves no room for one more; raise max and deploy, or try another NodePool`;
  if (unit.kind === 'floor') return max < 1 ? { refused: bound } : { addNodes: 1 };
  if (status.wanted + 1 > max) return { refused: bound };
  return { atLeast: status.wanted + 1 - addedOnTop(pool, status.intents, now) };
}

interface At {
  readonly now: number;
  readonly timezone: string;
  readonly commands: Commands;
}

function trouble(status: HeadroomStatus, { now, timezone, commands: { headstart } }: At): string | undefined {
  const { headroom, intents, wanted, ready, shortfall } = status;
  const { override } = intents;
  if (status.foreignOwner !== undefined)
    return `its headroom belongs to ${status.foreignOwner}; give one of the two stacks another cluster.namespace`;
  if (status.noSuchNodePool) return 'the cluster has no such NodePool; create it, or take it out of the config';
  if (status.missing)
    return `its Deployment does not exist yet; wait for the next heartbeat, or run ${headstart('doctor')}`;
  if (status.unreadable !== undefined)
    return `part of its record cannot be read; run ${headstart('release', headroom)} first: ${status.unreadable}`;
  if (override && override.until > now)
    return `an override by ${override.by} is in force until ${momentText(timezone, override.until, now)}; wait for its end, or run ${headstart('release', headroom)}`;
  if (status.contested !== undefined) return `somebody else keeps changing ${status.contested}; stop that first`;
  if (shortfall > 0)
    return `it is short already, ${ready} of ${wanted} are ready; run ${headstart('status', headroom)}`;
  return undefined;
}

/** What alarm boosts and interruption surges add to any override. */
function addedOnTop(pool: HeadroomConfig, { override: _, ...record }: HeadroomRecord, now: number): number {
  return decide({ pool: { ...pool, base: 0, windows: [] }, record, now }).replicas;
}
