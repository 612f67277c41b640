import type { Config, NodePoolConfig } from '../config/config';
import type { Decision } from '../decision/decide';
import {
  ANNOTATIONS,
  type DeploymentManifest,
  IMAGE_VOLUMES_SINCE,
  pauseDeployment,
} from '../manifests/pause-deployment';
import { writeReasons } from '../manifests/reasons-annotation';
import type { Observed } from '../observe/observe';
import type { Cluster, LiveHeadroom } from '../ports/ports';
import type { HeadroomRecord, Override } from '../record/record';
import { writeRecord } from '../record/record-codec';
import type { Recorded } from '../record/record-intents';
import { driftOf } from './drift';
import { hasImageVolumes, needsOf } from './node-pool-needs';

/** What became of one NodePool's headroom. */
export interface PoolOutcome extends Decision {
  readonly nodePool: string;
  readonly from: number;
  readonly ready: number;
  /** What was written: nothing, a new size, or other fields only. */
  readonly change: 'none' | 'created' | 'resized' | 'updated';
  /** Why something was written although the size stays. */
  readonly drift?: string;
  readonly record: HeadroomRecord;
  /** The override that an order replaced or released. */
  readonly replaced?: Override;
  /** Part of the record could not be read and was quarantined. */
  readonly unreadable?: string;
}

/** Everything that one headroom's manifest follows from. */
export interface Change {
  readonly config: Config;
  readonly pool: NodePoolConfig;
  readonly seen: Pick<Observed, 'nodePoolOf' | 'minor'>;
  readonly live: LiveHeadroom | undefined;
  readonly recorded: Recorded;
  readonly decision: Decision;
}

/** Writes the decision where something differs: one write that carries the version it was decided on. */
export async function applyDecision(change: Change, cluster: Cluster): Promise<PoolOutcome> {
  const { outcome, manifest } = prepareChange(change);
  const { live } = change;
  if (!live) await cluster.createHeadroom(manifest);
  else if (outcome.change !== 'none') await cluster.applyHeadroom(manifest, live.resourceVersion);
  return outcome;
}

/** The manifest, and how it differs from what is there. */
export function prepareChange(change: Change): { outcome: PoolOutcome; manifest: DeploymentManifest } {
  const { config, pool, seen, live, recorded, decision } = change;
  const { record, quarantined, replaced } = recorded;
  const manifest = pauseDeployment({
    pool,
    namespace: config.cluster.namespace,
    replicas: decision.replicas,
    annotations: annotationsOf(decision, recorded),
    ...needsOf(pool, seen.nodePoolOf(pool.name), live),
    imageVolumes: seen.minor === undefined ? hasImageVolumes(live) : seen.minor >= IMAGE_VOLUMES_SINCE,
  });
  const drift = live && driftFrom(manifest, live, quarantined);
  const outcome: PoolOutcome = {
    nodePool: pool.name,
    replicas: decision.replicas,
    reasons: [...decision.reasons, ...handScaled(live, decision.replicas)],
    from: live?.replicas ?? 0,
    ready: live?.ready ?? 0,
    change: changeOf(live, decision.replicas, drift),
    ...(drift !== undefined && { drift }),
    record,
    ...(replaced && { replaced }),
    ...(quarantined !== undefined && { unreadable: quarantined }),
  };
  return { outcome, manifest };
}

function driftFrom(manifest: DeploymentManifest, live: LiveHeadroom, quarantined: string | undefined) {
  // The items of a list name neither their version nor their kind, so these are not compared.
  const { apiVersion: _version, kind: _kind, ...content } = manifest;
  const leftover = quarantined === undefined && live.annotations[ANNOTATIONS.quarantined] !== undefined;
  return driftOf(content, live.object) ?? (leftover ? ANNOTATIONS.quarantined : undefined);
}

function changeOf(live: LiveHeadroom | undefined, replicas: number, drift: string | undefined): PoolOutcome['change'] {
  if (!live) return 'created';
  if (live.replicas !== replicas) return 'resized';
  return drift === undefined ? 'none' : 'updated';
}

function annotationsOf(decision: Decision, { record, quarantined }: Recorded): Record<string, string> {
  return {
    [ANNOTATIONS.record]: writeRecord(record),
    [ANNOTATIONS.reasons]: writeReasons(decision.reasons),
    [ANNOTATIONS.decided]: String(decision.replicas),
    ...(quarantined !== undefined && { [ANNOTATIONS.quarantined]: quarantined }),
  };
}

/** A size that somebody set by hand is undone, and it is said so. */
function handScaled(live: LiveHeadroom | undefined, replicas: number): string[] {
  const decided = live?.annotations[ANNOTATIONS.decided];
  if (!live || decided === undefined || live.replicas === Number(decided) || live.replicas === replicas) return [];
  const who = live.scaledBy === undefined ? 'by hand' : `by ${live.scaledBy}`;
  return [`scaled ${who} to ${live.replicas}, undone: use inflate for an emergency`];
}
