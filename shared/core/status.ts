import { prepareChange } from './apply/apply-decision';
import { headroomName } from './basics/names';
import type { Config } from './config/config';
import { decide } from './decision/decide';
import { nextDecision } from './decision/next-decision';
import type { Cluster } from './ports/ports';
import type { HeadroomRecord } from './record/record';
import { recordIntents } from './record/record-intents';

/** Everything a person asks about one NodePool's headroom. */
export interface PoolStatus {
  readonly nodePool: string;
  readonly wanted: number;
  /** What the Deployment asks for now; the next reconcile brings it to `wanted`. */
  readonly replicas: number;
  readonly ready: number;
  readonly shortfall: number;
  readonly reasons: readonly string[];
  readonly next?: { readonly at: string; readonly replicas: number; readonly reasons: readonly string[] };
  readonly intents: HeadroomRecord;
  readonly unreadable?: string;
  /** The Deployment does not exist yet. */
  readonly missing?: true;
}

/** Looks and changes nothing: record and decide, without apply. */
export async function statusOf(config: Config, now: number, cluster: Cluster): Promise<readonly PoolStatus[]> {
  const headrooms = new Map((await cluster.listHeadrooms()).map((headroom) => [headroom.name, headroom]));
  return config.nodePools.map((pool) => {
    const live = headrooms.get(headroomName(pool.name));
    const recorded = recordIntents({ pool, live, intents: [], now });
    const decision = decide({ pool, record: recorded.record, now, floor: recorded.held });
    const { outcome } = prepareChange({ config, pool, seen: NOT_SEEN, live, recorded, decision });
    const next = nextDecision({ pool, record: outcome.record, now });
    return {
      nodePool: pool.name,
      wanted: outcome.replicas,
      replicas: outcome.from,
      ready: outcome.ready,
      shortfall: Math.max(0, outcome.replicas - outcome.ready),
      reasons: outcome.reasons,
      ...(next && { next: { at: new Date(next.at).toISOString(), replicas: next.replicas, reasons: next.reasons } }),
      intents: outcome.record,
      ...(outcome.unreadable !== undefined && { unreadable: outcome.unreadable }),
      ...(!live && { missing: true as const }),
    };
  });
}

const NOT_SEEN = { nodePoolOf: () => undefined };
