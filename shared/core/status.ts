import { prepareChange } from './apply/apply-decision';
import { ownerOf } from './apply/owner';
import { headroomName } from './basics/names';
import type { HeadroomConfig } from './config/config';
import { decide } from './decision/decide';
import { heldSize } from './decision/held-size';
import { nextDecision } from './decision/next-decision';
import type { KeptLike } from './like/kept-like';
import type { Kept } from './live/kept-parts';
import { ANNOTATIONS } from './manifests/annotations';
import { observe } from './observe/observe';
import { ReconcileError } from './outcome';
import type { Runtime } from './ports/ports';
import { updateRecord } from './process-event';
import type { HeadroomRecord } from './record/record';
import { type NextChange, nextChange } from './respond';

export interface HeadroomStatus {
  readonly headroom: string;
  /** The NodePool whose nodes it is made of; absent if it has the same name. */
  readonly nodePool?: string;
  readonly wanted: number;
  /** The Deployment's size now; the next reconcile brings it to `wanted`. */
  readonly replicas: number;
  readonly ready: number;
  readonly shortfall: number;
  readonly reasons: readonly string[];
  readonly next?: NextChange & { readonly reasons: readonly string[] };
  /** The nodes to add to those that there are; the next reconcile counts them. */
  readonly uncounted?: number;
  readonly intents: HeadroomRecord;
  readonly unreadable?: string;
  /** The last decided size is held, because part of the record cannot be read. */
  readonly held?: number;
  /** A field that somebody else keeps setting back. */
  readonly contested?: string;
  readonly noSuchNodePool?: true;
  /** The owner of a Deployment of the same name, where that is another stack. */
  readonly foreignOwner?: string;
  /** The Deployment does not exist yet. */
  readonly missing?: true;
  /** What is kept of the workload that it is for: its shape, and the replicas that a share of `base` is taken of. */
  readonly like?: KeptLike;
  /** What is kept of the live schedules, and why part of them does not count. */
  readonly live?: Kept;
  readonly liveProblem?: string;
  readonly liveNotes?: readonly string[];
}

/** Records and decides, but applies nothing. */
export async function statusOf({ config, owner, ports }: Runtime, now: number): Promise<readonly HeadroomStatus[]> {
  const seen = await observe({ ...config, headrooms: config.headrooms.map(withoutAlarms) }, ports);
  const existing = seen.current;
  if (!existing) throw new ReconcileError(seen.failures);
  const statuses = config.headrooms.map(async (deployed): Promise<HeadroomStatus> => {
    const current = existing.get(headroomName(deployed.name));
    const annotation = current?.annotations[ANNOTATIONS.live];
    const live = await ports.live?.effective({ pool: deployed, annotation, now });
    const edited = live?.pool ?? deployed;
    const like = ports.like?.effective({ pool: edited, current, seen, now });
    const updated = updateRecord(like?.pool ?? edited, current, now, { intents: [] });
    const { pool, quarantined } = updated;
    const { record, uncountable } = like?.count(updated.record, pool) ?? { record: updated.record };
    const held = heldSize(record, pool, { current, quarantined, uncountable });
    const decision = decide({ pool, record, now, held });
    const news = { ...updated, record, countedLate: [], verdicts: [] };
    const { outcome } = prepareChange({
      config,
      owner,
      pool,
      live,
      like,
      seen,
      current,
      news,
      quarantined,
      held,
      decision,
      now,
    });
    const next = nextDecision({ pool, record, now, held });
    const theirs = current && ownerOf(current);
    return {
      headroom: pool.name,
      ...(pool.nodePool !== pool.name && { nodePool: pool.nodePool }),
      wanted: outcome.replicas,
      replicas: outcome.from,
      ready: outcome.ready,
      shortfall: Math.max(0, outcome.replicas - outcome.ready),
      reasons: outcome.reasons,
      ...(next && { next: { ...nextChange(next), reasons: next.reasons } }),
      ...(decision.uncounted !== undefined && { uncounted: decision.uncounted }),
      intents: outcome.record,
      ...(outcome.unreadable !== undefined && { unreadable: outcome.unreadable, held: held?.replicas ?? 0 }),
      ...(outcome.contested && { contested: outcome.contested.field }),
      ...(outcome.noSuchNodePool && { noSuchNodePool: true as const }),
      ...(theirs !== undefined && owner !== '' && theirs !== owner && { foreignOwner: theirs }),
      ...(!current && { missing: true as const }),
      ...(live?.kept && { live: live.kept }),
      ...(like?.kept && { like: like.kept }),
      ...(live?.problem !== undefined && { liveProblem: live.problem }),
      ...(live?.notes.length && { liveNotes: live.notes }),
    };
  });
  return Promise.all(statuses);
}

/** Status needs neither CloudWatch, since the recorded alarm states count, nor the Kubernetes version. */
function withoutAlarms(pool: HeadroomConfig): HeadroomConfig {
  return { ...pool, alarms: [], warmImages: [] };
}
